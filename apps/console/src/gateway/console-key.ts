/** The API key with which this tab's playground calls: minted by it, or pasted. It stays in the tab, and what was minted is revoked at the sign-out (contract/console#playground). */
import type { Flowgate } from '@flowgate/client';

export type ConsoleKey = {
  readonly apiKey: string;
  /** Of a key that the console has minted, which it revokes. */
  readonly keyId?: string;
  /** Who minted or pasted it; it is nobody else's. */
  readonly personId: string;
};

const storeName = 'flowgate.console-key';
const listeners = new Set<() => void>();
let text = sessionStorage.getItem(storeName);
let kept: ConsoleKey | undefined = text === null ? undefined : (JSON.parse(text) as ConsoleKey);

export const consoleKey = {
  now: (): ConsoleKey | undefined => kept,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  keep(key: ConsoleKey | undefined): void {
    kept = key;
    text = key === undefined ? null : JSON.stringify(key);
    if (text === null) sessionStorage.removeItem(storeName);
    else sessionStorage.setItem(storeName, text);
    for (const listener of listeners) listener();
  },
};

/** Forgets the key, and revokes it if the console has minted it. Throws when that could not be done; the key ends by itself after a day. */
export async function giveUpConsoleKey(client: Flowgate, signal?: AbortSignal): Promise<void> {
  const key = kept;
  consoleKey.keep(undefined);
  if (key?.keyId !== undefined) await client.apiKeys.revoke(key.keyId, signal === undefined ? {} : { signal });
}
