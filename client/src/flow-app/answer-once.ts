/** Executes an action once for each key, also under concurrent requests. */

import type { AnswerStore } from './answer-store.ts';

/** `hasEffect` is false for an answer without an effect. */
export type Acted = { readonly text: string; readonly hasEffect: boolean };

/** The store could not be read, so nothing was executed. */
export class StoreUnreadable extends Error {}

export type AnswerOnce = (key: string, act: () => Promise<Acted>) => Promise<string>;

/**
 * Concurrent requests for a key wait for one `act`. If the store rejects the answer, the answer is still returned, because the action has happened, and is
 * buffered in memory: each repetition returns it and tries to store it again. `onStoreError` gets the store's error.
 */
export function createAnswerOnce(store: AnswerStore, onStoreError: (error: unknown) => void): AnswerOnce {
  const running = new Map<string, Promise<string>>();
  const unkept = new Map<string, string>();

  async function keep(key: string, text: string): Promise<string> {
    try {
      const stored = await store.keep(key, text);
      unkept.delete(key);
      return stored;
    } catch (error) {
      onStoreError(error);
      unkept.set(key, text);
      const oldest = unkept.size > maxUnkept ? unkept.keys().next().value : undefined;
      if (oldest !== undefined) unkept.delete(oldest);
      return text;
    }
  }

  async function answer(key: string, act: () => Promise<Acted>): Promise<string> {
    const waiting = unkept.get(key);
    if (waiting !== undefined) return keep(key, waiting);
    const found = await read(key);
    if (found !== undefined) return found;
    const { text, hasEffect } = await act();
    return hasEffect ? keep(key, text) : text;
  }

  async function read(key: string): Promise<string | undefined> {
    try {
      return await store.find(key);
    } catch (error) {
      onStoreError(error);
      throw new StoreUnreadable();
    }
  }

  return (key, act) => {
    const inFlight = running.get(key);
    if (inFlight !== undefined) return inFlight;
    const begun = answer(key, act).finally(() => running.delete(key));
    running.set(key, begun);
    return begun;
  };
}

/** Bounds the number of buffered answers, each of at most 1 MiB. */
const maxUnkept = 100;
