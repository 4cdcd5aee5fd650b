/** Acts once for each key, however often and from how many connections at once it is asked. */

import type { AnswerStore } from './answer-store.ts';

/** `isKept` is false for an answer after which nothing has happened. */
export type Acted = { readonly text: string; readonly isKept: boolean };

/** The store could not be read: nothing was executed. */
export class StoreUnreadable extends Error {}

export type AnswerOnce = (key: string, act: () => Promise<Acted>) => Promise<string>;

/**
 * Copies that arrive together wait for one `act`. An answer that the store did not take is returned all the same, since the effect is there, and held here: a repetition gets it and
 * is a new attempt to keep it. `onStoreError` gets what the store threw.
 */
export function createAnswerOnce(store: AnswerStore, onStoreError: (error: unknown) => void): AnswerOnce {
  const running = new Map<string, Promise<string>>();
  const unkept = new Map<string, string>();

  async function keep(key: string, text: string): Promise<string> {
    try {
      const kept = await store.keep(key, text);
      unkept.delete(key);
      return kept;
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
    const { text, isKept } = await act();
    return isKept ? keep(key, text) : text;
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

/** Each is an answer of 1 MiB at most. */
const maxUnkept = 100;
