/** Calls of this tab, newest first, for repeating them. Contains no keys. */
import { useSyncExternalStore } from 'react';
import type { PlannedCall } from './planned-call.ts';
import type { CallOutcome } from './send-call.ts';

export type PastCall = {
  readonly id: string;
  readonly call: PlannedCall;
  readonly at: string;
  readonly tookMs: number;
  readonly ok: boolean;
};

const storeName = 'flowgate.playground-history';
const maxCalls = 50;
/** Longer parameters are not stored. */
const maxCharacters = 10_000;

/** Methods with signed transactions, or with secrets of a node's own wallet. */
const secretMethod = /send|sign|submit|personal|wallet|priv|import|passphrase/i;

/** True when the call's parameters may be stored in the tab. */
export const mayKeepCall = ({ method }: Pick<PlannedCall, 'method'>): boolean => !secretMethod.test(method);

const listeners = new Set<() => void>();
let calls: readonly PastCall[] = storedCalls();

export function noteCall({ call, at, tookMs, ok }: CallOutcome): void {
  if (JSON.stringify(call.params).length > maxCharacters) return;
  become([{ id: crypto.randomUUID(), call, at, tookMs, ok }, ...calls].slice(0, maxCalls));
}

export const clearCalls = (): void => become([]);

export function usePastCalls(): readonly PastCall[] {
  return useSyncExternalStore(subscribe, () => calls);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function become(next: readonly PastCall[]): void {
  calls = next;
  sessionStorage.setItem(storeName, JSON.stringify(calls.filter(({ call }) => mayKeepCall(call))));
  for (const listener of listeners) listener();
}

function storedCalls(): readonly PastCall[] {
  try {
    return JSON.parse(sessionStorage.getItem(storeName) ?? '[]') as readonly PastCall[];
  } catch {
    return [];
  }
}
