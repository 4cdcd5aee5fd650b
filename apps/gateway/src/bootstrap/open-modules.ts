/** What each module contributes to the process, and the order in which all are started, drained and closed. */

import type { Route } from '../api/route.ts';

export type ModuleHooks = {
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

const nothing: ModuleHooks = { routes: [], start: () => {}, drain: () => 0, close: () => {} };

/** The given hooks of a module; the others do nothing. */
export function moduleHooks(given: Partial<ModuleHooks> = {}): ModuleHooks {
  return { ...nothing, ...given };
}

/** The modules of one process, in the order in which they were opened. */
export class OpenModules {
  readonly #opened: ModuleHooks[] = [];
  /** Closes all of them in reverse order, even if some fail. */
  readonly #open = new AsyncDisposableStack();

  /** Registers the module's hooks and returns the module, so that later modules can use it. */
  open<Module extends { readonly hooks: ModuleHooks }>(module: Module): Module {
    this.#opened.push(module.hooks);
    this.#open.defer(() => module.hooks.close());
    return module;
  }

  get routes(): readonly Route[] {
    return this.#opened.flatMap(({ routes }) => routes);
  }

  start(): void {
    for (const { start } of this.#opened) start();
  }

  /** Drains all at the same time, started in reverse order. Returns how many calls were cut off, once every module has drained. */
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
