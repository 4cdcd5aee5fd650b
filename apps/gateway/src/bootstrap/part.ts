/** What each module contributes to the process, and the order in which all are started, drained and closed. */

import type { Route } from '../api/route.ts';

export type Part = {
  /** The module's routes for REST and Flow callers. */
  readonly routes: readonly Route[];
  /** Starts background work. Called once, after everything was opened. */
  readonly start: () => void;
  /**
   * Ends what would delay the end of the process, while calls in flight finish. Returns the number of calls cut off. `handsOver`: another process serves
   * instead, so no call is refused meanwhile.
   */
  readonly drain: (handsOver: boolean) => number | Promise<number>;
  /** Releases the module's resources, whether it was started or not; modules opened earlier are still open. */
  readonly close: () => void | Promise<void>;
};

const nothing: Part = { routes: [], start: () => {}, drain: () => 0, close: () => {} };

/** A part with the members that the module has; the others do nothing. */
export function part(given: Partial<Part> = {}): Part {
  return { ...nothing, ...given };
}

/** The parts of one process, in the order in which they were opened. */
export class OpenModules {
  readonly #opened: Part[] = [];
  /** Closes all of them in reverse order, even if some fail. */
  readonly #open = new AsyncDisposableStack();

  /** Registers the module's part and returns the module, so that later modules can use it. */
  open<Module extends { readonly part: Part }>(room: Module): Module {
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

  /** Drains all at the same time, started in reverse order. Returns how many calls were cut off, once every part has drained. */
  async drain(handsOver = false): Promise<number> {
    const drained = await Promise.allSettled(this.#opened.toReversed().map(async ({ drain }) => drain(handsOver)));
    return drained.reduce((cutOff, each) => {
      if (each.status === 'rejected') throw each.reason;
      return cutOff + each.value;
    }, 0);
  }

  /** Closes in reverse order, one after another, each once. Rejects after all are closed if one failed. */
  close(): Promise<void> {
    return this.#open.disposeAsync();
  }
}
