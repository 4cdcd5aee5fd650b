/** The calls of this tab, newest first, to repeat them. No key is among them. */
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
const mostCalls = 50;
/** Longer parameters are not kept. */
const mostCharacters = 10_000;

/** Signed transactions, and what opens a node's own wallet. */
const secretMethod = /send|sign|submit|personal|wallet|priv|import|passphrase/i;

/** Whether a call's parameters may stay in the tab. */
export const mayKeepCall = ({ method }: Pick<PlannedCall, 'method'>): boolean => !secretMethod.test(method);

const listeners = new Set<() => void>();
let calls: readonly PastCall[] = kept();

export function noteCall({ call, at, tookMs, ok }: CallOutcome): void {
  if (JSON.stringify(call.params).length > mostCharacters) return;
  become([{ id: crypto.randomUUID(), call, at, tookMs, ok }, ...calls].slice(0, mostCalls));
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

function kept(): readonly PastCall[] {
  try {
    return JSON.parse(sessionStorage.getItem(storeName) ?? '[]') as readonly PastCall[];
  } catch {
    return [];
  }
}
