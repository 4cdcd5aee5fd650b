/** The calls of this tab, newest first, to repeat them. No key is among them. */
import { useSyncExternalStore } from 'react';
import type { CallOutcome, PlannedCall } from './send-call.ts';

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
  // A signed transaction is not left behind in the tab.
  sessionStorage.setItem(storeName, JSON.stringify(calls.filter(({ call }) => !/^(?:eth_)?send/i.test(call.method))));
  for (const listener of listeners) listener();
}

function kept(): readonly PastCall[] {
  try {
    return JSON.parse(sessionStorage.getItem(storeName) ?? '[]') as readonly PastCall[];
  } catch {
    return [];
  }
}
