/** Undoes what was committed, or may have been, although its caller was told that it was not: ends the server process that might still commit, then runs the undo. */

import type { Statement } from '../database.ts';
import { integerOf } from '../row.ts';
import type { Backend } from './postgres-session.ts';

type Run = (
  statements: readonly Statement[],
  deadlineMs: number,
) => Promise<readonly (readonly Record<string, unknown>[])[]>;

type Pending = { readonly backend: Backend | undefined; readonly undo: Statement };

const pauseMs = 100;
const deadlineMs = 3_000;
/** Less than the deadline. */
const endingMs = 2_000;

export class PostgresUndoing {
  readonly #run: Run;
  readonly #pending = new Set<Pending>();
  #working: Promise<void> | undefined;
  #stopped = false;

  constructor(run: Run) {
    this.#run = run;
  }

  /** `backend` when it may still commit what is to be undone. */
  add(undo: Statement, backend?: Backend): void {
    this.#pending.add({ undo, backend });
    this.#working ??= this.#work();
  }

  /** Resolves when nothing is left to undo. */
  get done(): Promise<void> {
    return this.#working ?? Promise.resolve();
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

  async #undo({ backend, undo }: Pending): Promise<boolean> {
    try {
      if (backend !== undefined && !(await this.#isGone(backend))) return false;
      await this.#run([undo], deadlineMs);
      return true;
    } catch {
      return false;
    }
  }

  /** A process that is gone has finished its commit or never will. The user may end its own processes. */
  async #isGone({ pid, startedAtUs }: Backend): Promise<boolean> {
    const values = [pid, startedAtUs];
    await this.#run([{ text: `SELECT pg_terminate_backend(pid, ${endingMs}) ${fromBackend}`, values }], deadlineMs);
    const [rows = []] = await this.#run([{ text: `SELECT COUNT(*) AS count ${fromBackend}`, values }], deadlineMs);
    return rows[0] !== undefined && integerOf(rows[0], 'count') === 0;
  }
}

const fromBackend =
  'FROM pg_stat_activity WHERE pid = ? AND CAST(EXTRACT(EPOCH FROM backend_start) * 1000000 AS BIGINT) = ?';
