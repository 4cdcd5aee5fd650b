/** Supervises worker processes: starts them, replaces those that die, replaces all for new settings one after another, and ends with them. */

import { backOffMs } from '@flowgate/async/back-off';
import type { Clock } from '@flowgate/base/clock';

export type WorkerHandle = {
  readonly pid: number;
  /** Resolves when it serves; never, if it ends before. */
  readonly serving: Promise<void>;
  /** Its exit code; null when a signal ended it. Never rejects. */
  readonly ended: Promise<number | null>;
  /** Requests that it finishes its calls and ends. */
  readonly drain: (signal: string) => void;
  /** The same while another process replaces it: it refuses no call meanwhile. */
  readonly handOver: (signal: string) => void;
  readonly kill: () => void;
};

export type WorkerDeath = {
  readonly worker: number;
  readonly pid: number;
  readonly code: number | null;
  /** Until it is replaced; undefined when it is not. */
  readonly againInMs: number | undefined;
};

export type SupervisorOptions<Settings> = {
  readonly workers: number;
  readonly settings: Settings;
  /** Begins a process; `worker` counts from 1, and is the same for its replacements. Throws when the system has no room for one. */
  readonly begin: (worker: number, settings: Settings) => WorkerHandle;
  readonly clock: Clock;
  readonly sleep: (ms: number) => Promise<void>;
  /** After this time a drain ends with a kill. */
  readonly drainMs: number;
  /** A replacement that does not serve within this time is abandoned. */
  readonly startMs: number;
  readonly report: {
    readonly died: (death: WorkerDeath) => void;
    /** All of them serve, for the first time. */
    readonly serving: () => void;
  };
};

/** A process that lives shorter has failed at start, for a reason that a new process does not remedy. */
const soonMs = 10_000;
/** This many consecutive failures, of any workers, end the supervisor. */
const maxSoonDeaths = 5;
const pauses = { firstMs: 100, maxMs: 1_600 };

/** One worker's place, which its process shares with earlier and later ones. */
type Place<Settings> = {
  readonly worker: number;
  /** The settings of the next process of this place. */
  settings: Settings;
  /** The process that has the place; undefined while none is alive. */
  current: WorkerHandle | undefined;
  /** It serves already, and takes the place when the current one has ended. */
  successor: WorkerHandle | undefined;
};

export class Supervisor<Settings> {
  readonly #alive = new Set<WorkerHandle>();
  readonly #places: Place<Settings>[] = [];
  readonly #asked = Promise.withResolvers<void>();
  readonly #allServe = Promise.withResolvers<void>();
  #isEnding = false;
  #soonDeaths = 0;
  #exitCode = 0;

  constructor(private readonly options: SupervisorOptions<Settings>) {}

  /** Resolves when all have ended: 0 when each ended as requested. */
  async run(): Promise<number> {
    const { workers, report } = this.options;
    // The first worker starts alone: it migrates the schema, and a failure of it would also affect the others.
    const first = this.#keep(1, true);
    await Promise.race([first.serving, first.over]);
    if (this.#isEnding) await first.over;
    else {
      const others = Array.from({ length: workers - 1 }, (_, at) => this.#keep(at + 2, false));
      void Promise.all([first, ...others].map(({ serving }) => serving)).then(() => {
        if (this.#isEnding) return;
        report.serving();
        this.#allServe.resolve();
      });
      await Promise.all([first, ...others].map(({ over }) => over));
      // A replacement that had not taken its place when the end came has none.
      await Promise.all([...this.#alive].map(({ ended }) => ended));
    }
    return this.#exitCode;
  }

  /**
   * Replaces all processes by ones with these settings, one after another: each new one serves before the old one hands over. False, and everything is as before, when one of them did not serve: those
   * that were replaced already are replaced again. One call at a time; it waits until all serve for the first time.
   */
  async replaceAll(settings: Settings): Promise<boolean> {
    await Promise.race([this.#allServe.promise, this.#asked.promise]);
    const replaced: { readonly place: Place<Settings>; readonly before: Settings }[] = [];
    for (const place of this.#places) {
      const before = place.settings;
      if (await this.#replace(place, settings)) replaced.push({ place, before });
      else {
        for (const each of replaced.toReversed()) await this.#replace(each.place, each.before);
        return false;
      }
    }
    return !this.#isEnding;
  }

  async #replace(place: Place<Settings>, settings: Settings): Promise<boolean> {
    if (this.#isEnding) return false;
    const { sleep, startMs, drainMs } = this.options;
    const fresh = this.#begin(place.worker, settings);
    this.#alive.add(fresh);
    void fresh.ended.then(() => this.#alive.delete(fresh));
    const serves = fresh.serving.then(() => true);
    if (!(await Promise.race([serves, fresh.ended.then(() => false), sleep(startMs).then(() => false)]))) {
      fresh.kill();
      await fresh.ended;
      return false;
    }
    if (this.#isEnding) return false;
    place.settings = settings;
    const old = place.current;
    // A place whose process has just died takes the new one when its pause is over.
    place.successor = fresh;
    if (old === undefined) return true;
    old.handOver('SIGHUP');
    await Promise.race([old.ended, sleep(drainMs)]);
    old.kill();
    await old.ended;
    return true;
  }

  /** Requests that all finish; those that take too long are killed. Further calls change nothing. */
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

  /** `serving`: resolves once, also with replacements. `over`: the place has no process any more. */
  #keep(worker: number, isFirst: boolean): { readonly serving: Promise<void>; readonly over: Promise<void> } {
    const serving = Promise.withResolvers<void>();
    const place: Place<Settings> = {
      worker,
      settings: this.options.settings,
      current: undefined,
      successor: undefined,
    };
    this.#places.push(place);
    const keep = async () => {
      for (let hasServed = !isFirst; !this.#isEnding || place.successor !== undefined; ) {
        const begunMs = this.options.clock.monotonic();
        const handle = place.successor ?? this.#begin(worker, place.settings);
        place.successor = undefined;
        place.current = handle;
        this.#alive.add(handle);
        void handle.serving.then(() => {
          hasServed = true;
          serving.resolve();
        });
        const code = await handle.ended;
        this.#alive.delete(handle);
        place.current = undefined;
        // It ended because another one has its place.
        if (place.successor !== undefined) continue;
        const pauseMs = this.#noteDeath(code, this.options.clock.monotonic() - begunMs, hasServed);
        if (this.#isEnding && code === 0) return;
        this.options.report.died({ worker, pid: handle.pid, code, againInMs: this.#isEnding ? undefined : pauseMs });
        if (!this.#isEnding && pauseMs > 0) await Promise.race([this.options.sleep(pauseMs), this.#asked.promise]);
      }
    };
    return { serving: serving.promise, over: keep() };
  }

  /** A process that could not be started counts as failed at start. */
  #begin(worker: number, settings: Settings): WorkerHandle {
    try {
      return this.options.begin(worker, settings);
    } catch {
      const never = new Promise<void>(() => {});
      const nothing = () => {};
      return { pid: 0, serving: never, ended: Promise.resolve(1), drain: nothing, handOver: nothing, kill: nothing };
    }
  }

  /** Returns how long the next one waits. */
  #noteDeath(code: number | null, livedMs: number, hasServed: boolean): number {
    if (this.#isEnding) {
      if (code !== 0) this.#exitCode = 1;
      return 0;
    }
    this.#soonDeaths = livedMs < soonMs ? this.#soonDeaths + 1 : 0;
    if (!hasServed || this.#soonDeaths >= maxSoonDeaths) {
      this.#exitCode = code === null || code === 0 ? 1 : code;
      this.drain('a worker ends repeatedly after its start');
    }
    return this.#soonDeaths === 0 ? 0 : backOffMs(pauses, this.#soonDeaths);
  }
}
