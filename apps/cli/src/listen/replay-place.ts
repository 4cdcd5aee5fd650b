/** `--replay`: the time or the event from which past events are forwarded again. */

import { CliProblem } from '../cli-problem.ts';

export type ReplayPlace = {
  /** Milliseconds since the epoch: sessions without a later change are skipped. */
  readonly sinceMs: number;
  readonly includes: (event: { readonly id: string; readonly timestamp: string }) => boolean;
  /** The first event to forward; earlier events of its session are skipped. */
  readonly firstId?: string;
};

const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Parses `10m`, `2026-11-23T10:00:00Z` or `evt_…`, whose id contains its creation time. Throws `CliProblem`. */
export function replayPlace(text: string, now: number): ReplayPlace {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count !== undefined) return since(now - Number(count) * (units[unit] ?? 0));
  if (/^evt_[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text)) {
    const made = text.slice(0, madeLength);
    const madeMs = [...made.slice('evt_'.length)].reduce((ms, digit) => ms * 32 + digits.indexOf(digit), 0);
    // A session changes shortly before the ids of its events are created. Ids of the same millisecond have no order.
    return { sinceMs: madeMs - leewayMs, includes: ({ id }) => id.slice(0, madeLength) >= made, firstId: text };
  }
  const at = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at))
    throw new CliProblem('usage', '--replay is a time such as 10m, 2h or 2026-11-23T10:00:00Z, or an event, evt_…');
  return since(at);
}

/** The prefix, and a ULID's time. */
const madeLength = 'evt_'.length + 10;
const leewayMs = 60_000;

function since(sinceMs: number): ReplayPlace {
  return { sinceMs, includes: ({ timestamp }) => Date.parse(timestamp) >= sinceMs };
}
