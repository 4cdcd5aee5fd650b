/** What each room gives the process, and the order in which that is done with all of them. */

import type { Route } from '../api/route.ts';

export type Part = {
  /** What the room answers to REST and Flow callers. */
  readonly routes: readonly Route[];
  /** Begins what goes on beside requests. Called once, after everything was opened. */
  readonly start: () => void;
  /** Ends what would hold the process up, while calls in flight are finished. Answers how many of them had to be cut off. */
  readonly drain: () => number | Promise<number>;
  /** Gives back what the room holds, started or not; what was opened before it is still open. */
  readonly close: () => void | Promise<void>;
};

const nothing: Part = { routes: [], start: () => {}, drain: () => 0, close: () => {} };

/** A part with what the room has of it; of the rest it needs nothing. */
export function part(given: Partial<Part> = {}): Part {
  return { ...nothing, ...given };
}

/** The parts of one process, in the order in which they were opened. */
export class Parts {
  readonly #opened: Part[] = [];
  /** Closes in reverse order, all of them, whichever fails. */
  readonly #open = new AsyncDisposableStack();

  /** Answers the room whose part it takes, so that later ones can be opened with what it has. */
  open<Room extends { readonly part: Part }>(room: Room): Room {
    this.#opened.push(room.part);
    this.#open.defer(() => room.part.close());
    return room;
  }

  get routes(): readonly Route[] {
    return this.#opened.flatMap(({ routes }) => routes);
  }

  start(): void {
    for (const { start } of this.#opened) start();
  }

  /** All at the same time, begun in reverse order. Answers how many calls had to be cut off, once every part has drained. */
  async drain(): Promise<number> {
    const drained = await Promise.allSettled(this.#opened.toReversed().map(async ({ drain }) => drain()));
    return drained.reduce((cutOff, each) => {
      if (each.status === 'rejected') throw each.reason;
      return cutOff + each.value;
    }, 0);
  }

  /** In reverse order, one after the other, each once. Rejects when all are closed and one of them could not be. */
  close(): Promise<void> {
    return this.#open.disposeAsync();
  }
}
