/**
 * Compensates writes that were committed, or may have been, although their caller received an error. Each compensation
 * is retried until it succeeds.
 */

import type { Statement } from './database.ts';

type Pending = {
  readonly undo: readonly Statement[];
  /** Resolves with whether the write can no longer be committed. Until then a compensation would come too early. */
  readonly isOver: () => Promise<boolean>;
};

const pauseMs = 100;

export class Compensations {
  readonly #run: (undo: readonly Statement[]) => Promise<unknown>;
  readonly #pending = new Set<Pending>();
  #working: Promise<void> | undefined;
  #stopped = false;

  constructor(run: (undo: readonly Statement[]) => Promise<unknown>) {
    this.#run = run;
  }

  /** `isOver` is called again after it has rejected or returned false. */
  add(undo: readonly Statement[], isOver: () => Promise<boolean> = async () => true): void {
    this.#pending.add({ undo, isOver });
    if (!this.#stopped) this.#working ??= this.#work();
  }

  /** Resolves when no compensation is pending. */
  get done(): Promise<void> {
    return this.#working ?? Promise.resolve();
  }

  /** The number of pending compensations. */
  get left(): number {
    return this.#pending.size;
  }

  stop(): void {
    this.#stopped = true;
  }

  async #work(): Promise<void> {
    while (!this.#stopped && this.#pending.size > 0) {
      for (const pending of [...this.#pending]) {
        if (await this.#undo(pending)) this.#pending.delete(pending);
      }
      if (this.#pending.size > 0) await Bun.sleep(pauseMs);
    }
    this.#working = undefined;
  }

  async #undo({ undo, isOver }: Pending): Promise<boolean> {
    try {
      if (!(await isOver())) return false;
      await this.#run(undo);
      return true;
    } catch {
      return false;
    }
  }
}

/** The sentence that an engine logs when it closes with pending compensations. */
export function uncompensated(count: number): string {
  return `closed with ${count === 1 ? 'one pending compensation' : `${count} pending compensations`}: writes whose callers received an error may be stored`;
}
