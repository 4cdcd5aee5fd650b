/**
 * Structured logs: one JSON object per line, redacted, written in batches so that a request never waits for its line.
 */

import type { Clock } from '@flowgate/base/clock';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

type Fields = Readonly<Record<string, string | number | boolean | undefined>>;

/** `event` is a fixed, dotted name (`key.minted`); everything that varies is in the fields. */
export type Log = Readonly<Record<LogLevel, (event: string, fields?: Fields) => void>> & {
  /** Writes the buffered lines; called before the process ends. */
  readonly flush: () => void;
};

const ranks: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 };
const flushAfterMs = 100;
/** Lines that are buffered while the sink is slow; further ones are counted and dropped, so that memory stays bounded. */
const maxBufferedLines = 10_000;

export type LogOptions = {
  readonly level: LogLevel;
  readonly clock: Clock;
  readonly redact: (text: string) => string;
  /** Takes whole lines, each ending in a line feed. */
  readonly write: (lines: string) => void;
  /** Included in every line: the name of the process, where several processes write to the same place. */
  readonly own?: Fields | undefined;
};

export function createLog({ level, clock, redact, write, own }: LogOptions): Log {
  let buffered: string[] = [];
  let dropped = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (dropped > 0)
      buffered.push(
        `${JSON.stringify({ time: new Date(clock.now()).toISOString(), level: 'warn', event: 'log.dropped', ...own, lines: dropped })}\n`,
      );
    const lines = buffered.join('');
    buffered = [];
    dropped = 0;
    if (lines !== '') write(lines);
  };
  const at = (of: LogLevel) => (event: string, fields?: Fields) => {
    if (ranks[of] < ranks[level]) return;
    if (buffered.length >= maxBufferedLines) {
      dropped += 1;
      return;
    }
    // Time, level and event are our own texts, and alarms depend on them: they are not searched for secrets.
    const head = JSON.stringify({ time: new Date(clock.now()).toISOString(), level: of, event, ...own });
    const rest = fields === undefined ? '{}' : redact(JSON.stringify(fields));
    buffered.push(`${rest === '{}' ? head : `${head.slice(0, -1)},${rest.slice(1)}`}\n`);
    if (of === 'error') flush();
    else timer ??= setTimeout(flush, flushAfterMs);
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error'), flush };
}
