/** The playground's API key in this tab, created by the console or pasted. A created key is revoked at sign-out (contract/console#playground). */
import type { Flowgate } from '@flowgate/client';

export type ConsoleKey = {
  readonly apiKey: string;
  /** Set for keys that the console created; it revokes them. */
  readonly keyId?: string;
  /** The key is used for this user only. */
  readonly personId: string;
};

const storeName = 'flowgate.console-key';
const listeners = new Set<() => void>();
let text = sessionStorage.getItem(storeName);
let stored: ConsoleKey | undefined = text === null ? undefined : (JSON.parse(text) as ConsoleKey);

export const consoleKey = {
  now: (): ConsoleKey | undefined => stored,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  keep(key: ConsoleKey | undefined): void {
    stored = key;
    text = key === undefined ? null : JSON.stringify(key);
    if (text === null) sessionStorage.removeItem(storeName);
    else sessionStorage.setItem(storeName, text);
    for (const listener of listeners) listener();
  },
};

/** Removes the key from the tab and revokes it if the console created it. Throws when revoking fails; the key then expires after a day. */
export async function giveUpConsoleKey(client: Flowgate, signal?: AbortSignal): Promise<void> {
  const key = stored;
  consoleKey.keep(undefined);
  if (key?.keyId !== undefined) await client.apiKeys.revoke(key.keyId, signal === undefined ? {} : { signal });
}
