/** Keeps so many worker processes alive: begins them, replaces those that die, and ends with them. */

import type { Clock } from '../clock.ts';

export type WorkerHandle = {
  readonly pid: number;
  /** Settles when it serves; never, when it ends before. */
  readonly serving: Promise<void>;
  /** Its exit code; null when a signal ended it. Never rejects. */
  readonly ended: Promise<number | null>;
  /** Asks it to finish what it does, and to end. */
  readonly drain: (signal: string) => void;
  readonly kill: () => void;
};

export type WorkerDeath = {
  readonly worker: number;
  readonly pid: number;
  readonly code: number | null;
  /** Until it is replaced; undefined when it is not. */
  readonly againInMs: number | undefined;
};

export type SupervisorOptions = {
  readonly workers: number;
  /** Begins a process; `worker` counts from 1, and is the same for its replacements. Throws when the system has no room for one. */
  readonly begin: (worker: number) => WorkerHandle;
  readonly clock: Clock;
  readonly sleep: (ms: number) => Promise<void>;
  /** After this long a drain ends with a kill. */
  readonly drainMs: number;
  readonly report: {
    readonly died: (death: WorkerDeath) => void;
    /** All of them serve, for the first time. */
    readonly serving: () => void;
  };
};

/** Who dies sooner has died at once: something is wrong that a new process does not mend. */
const soonMs = 10_000;
/** So many in a row, whichever they are, end the whole. */
const mostSoonDeaths = 5;
const firstBackOffMs = 100;

export class Supervisor {
  readonly #alive = new Set<WorkerHandle>();
  readonly #asked = Promise.withResolvers<void>();
  #isEnding = false;
  #soonDeaths = 0;
  #exitCode = 0;

  constructor(private readonly options: SupervisorOptions) {}

  /** Resolves when all have ended: 0 when each did as it was asked. */
  async run(): Promise<number> {
    const { workers, report } = this.options;
    // Alone: it brings the schema up to date, and what keeps it from serving would keep the others from it.
    const first = this.#keep(1, true);
    await Promise.race([first.serving, first.over]);
    if (this.#isEnding) await first.over;
    else {
      const others = Array.from({ length: workers - 1 }, (_, at) => this.#keep(at + 2, false));
      const all = Promise.all([first, ...others].map(({ serving }) => serving));
      void all.then(() => this.#isEnding || report.serving());
      await Promise.all([first, ...others].map(({ over }) => over));
    }
    return this.#exitCode;
  }

  /** Asks all to finish; those that take too long are killed. Further calls change nothing. */
  drain(signal: string): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#asked.resolve();
    for (const worker of this.#alive) worker.drain(signal);
    void this.options.sleep(this.options.drainMs).then(() => this.kill());
  }

  /** Ends all at once. */
  kill(): void {
    this.#isEnding = true;
    this.#asked.resolve();
    for (const worker of this.#alive) worker.kill();
  }

  /** `serving`: once, however often it is replaced. `over`: nobody keeps this place any more. */
  #keep(worker: number, isFirst: boolean): { readonly serving: Promise<void>; readonly over: Promise<void> } {
    const serving = Promise.withResolvers<void>();
    const keep = async () => {
      for (let hasServed = !isFirst; !this.#isEnding; ) {
        const begunMs = this.options.clock.monotonic();
        const handle = this.#begin(worker);
        this.#alive.add(handle);
        void handle.serving.then(() => {
          hasServed = true;
          serving.resolve();
        });
        const code = await handle.ended;
        this.#alive.delete(handle);
        const backOffMs = this.#noteDeath(code, this.options.clock.monotonic() - begunMs, hasServed);
        if (this.#isEnding && code === 0) return;
        this.options.report.died({ worker, pid: handle.pid, code, againInMs: this.#isEnding ? undefined : backOffMs });
        if (!this.#isEnding && backOffMs > 0) await Promise.race([this.options.sleep(backOffMs), this.#asked.promise]);
      }
    };
    return { serving: serving.promise, over: keep() };
  }

  /** A process that could not be begun has died at once. */
  #begin(worker: number): WorkerHandle {
    try {
      return this.options.begin(worker);
    } catch {
      const never = new Promise<void>(() => {});
      return { pid: 0, serving: never, ended: Promise.resolve(1), drain: () => {}, kill: () => {} };
    }
  }

  /** Answers how long the next one waits. */
  #noteDeath(code: number | null, livedMs: number, hasServed: boolean): number {
    if (this.#isEnding) {
      if (code !== 0) this.#exitCode = 1;
      return 0;
    }
    this.#soonDeaths = livedMs < soonMs ? this.#soonDeaths + 1 : 0;
    if (!hasServed || this.#soonDeaths >= mostSoonDeaths) {
      this.#exitCode = code === null || code === 0 ? 1 : code;
      this.drain('a worker cannot be kept alive');
    }
    return this.#soonDeaths === 0 ? 0 : firstBackOffMs * 2 ** (this.#soonDeaths - 1);
  }
}
