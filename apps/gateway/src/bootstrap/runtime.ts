/** The objects that exist once in a process, created only here: clock, timer wheels, time slices, randomness, log, and the process's name. */

import { createTimeSlices, type TimeSlices } from '@flowgate/async/time-slices';
import { createTimerWheel, type TimerWheel } from '@flowgate/async/timer-wheel';
import { TurnBudget } from '@flowgate/async/turn-budget';
import { type Clock, systemClock } from '@flowgate/base/clock';
import { type RandomBytes, systemRandomBytes } from '@flowgate/base/random';
import { createLog, type Log } from '@flowgate/telemetry/log';
import { createRedactor } from '@flowgate/telemetry/redaction/redactor';
import type { Config } from '../config/config.ts';
import { configSecrets } from '../config/config-secrets.ts';
import { createInstruments, type Instruments } from './create-instruments.ts';

/** What the code that starts the process provides. */
export type Launch = {
  readonly version: string;
  /** Takes whole lines of the structured log. */
  readonly writeLog: (lines: string) => void;
  /** Set where several processes serve the same port. */
  readonly worker?: Worker;
};

/** What a worker knows of the other processes. */
export type Worker = {
  /** From 1. */
  readonly number: number;
  /** The numbers of the other workers that cannot serve now. */
  readonly unreadyOthers: () => Promise<readonly number[]>;
};

export type Machine = { readonly clock: Clock; readonly randomBytes: RandomBytes };

export type Runtime = Machine & {
  readonly timerWheel: TimerWheel;
  /** The same with short ticks, for decisions about milliseconds. */
  readonly quickTimers: TimerWheel;
  /** For work that would block the event loop. */
  readonly timeSlices: TimeSlices;
  /** For everything that is read from outside. */
  readonly turns: TurnBudget;
  readonly log: Log;
  /** Names this process; a new name for each start. */
  readonly nodeId: string;
  readonly version: string;
  /** Undefined when this process serves its port alone. */
  readonly worker: Worker | undefined;
  /** For metrics; absent when no one may read them. */
  readonly instruments: Instruments | undefined;
};

const quickTickMs = 2;

/** This machine's clock and randomness, for commands that start no gateway. */
export const machine: Machine = { clock: systemClock, randomBytes: systemRandomBytes };

export function createRuntime(config: Config, { version, writeLog, worker }: Launch): Runtime {
  const { clock, randomBytes } = machine;
  return {
    clock,
    randomBytes,
    timerWheel: createTimerWheel(clock),
    quickTimers: createTimerWheel(clock, quickTickMs),
    timeSlices: createTimeSlices(clock),
    turns: new TurnBudget(clock),
    log: createLog({
      level: config.log.level,
      clock,
      redact: createRedactor(configSecrets(config), 'all'),
      write: writeLog,
      own: worker === undefined ? undefined : { worker: worker.number },
    }),
    nodeId: randomBytes(12).toString('base64url'),
    version,
    worker,
    instruments: config.server.metrics === undefined ? undefined : createInstruments({ clock, version }),
  };
}
