/** The query of usage: `?from=`, `?to=`, `?bucket=`, `?by=`, and its user (contract/usage#query). */

import { parseIsoTime } from '@flowgate/base/iso-time';
import { ok, type Result, refused } from '@flowgate/base/result';
import { z } from 'zod';
import { onceIn } from '../api/once-in.ts';
import type { RouteQueryDoc } from '../api/route.ts';
import { type UsageLevel, type UsageQuestion, usageLevels } from './usage-store.ts';
import { maxRows } from './usage-wire.ts';

export const bucketMs: Readonly<Record<UsageLevel, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** How long each level is stored. */
export const storedMs: Readonly<Record<UsageLevel, number>> = {
  minute: 48 * 3_600_000,
  hour: 90 * 86_400_000,
  day: 2 * 365 * 86_400_000,
};
const storedFor: Readonly<Record<UsageLevel, string>> = {
  minute: 'Minutes are stored for 48 hours',
  hour: 'Hours are stored for 90 days',
  day: 'Days are stored for two years',
};

export const ownBys = ['total', 'key', 'surface', 'network', 'method', 'app', 'outcome'] as const;
const adminBys = [...ownBys, 'user'] as const;

/** A longer value is neither an id of this gateway nor the name of a network. */
const maxIdLength = 1_024;
const timeForm = 'an ISO 8601 timestamp with a zone, such as 2030-01-31T12:00:00Z';

const common = (bys: readonly string[]): readonly RouteQueryDoc[] => [
  {
    name: 'from',
    description: `The first bucket is the one that contains this time: ${timeForm}. Default: an hour before \`to\`.`,
    schema: () => z.iso.datetime({ offset: true }),
  },
  {
    name: 'to',
    description: `Only buckets that begin before this time: ${timeForm}. Default: now.`,
    schema: () => z.iso.datetime({ offset: true }),
  },
  {
    name: 'bucket',
    description: 'The length of a bucket, in UTC.',
    schema: () => z.enum(usageLevels).meta({ default: 'minute' }),
  },
  { name: 'by', description: 'One row for each of these.', schema: () => z.enum(bys).meta({ default: 'total' }) },
  {
    name: 'keyId',
    description: 'Only of this API key; `token` for requests with a token.',
    schema: () => z.string().min(1).max(maxIdLength),
  },
  {
    name: 'network',
    description: 'Only on this network, for example `ethereum/mainnet`.',
    schema: () => z.string().min(1).max(maxIdLength),
  },
];

export const usageQuery = common(ownBys);
export const adminUsageQuery: readonly RouteQueryDoc[] = [
  ...common(adminBys),
  { name: 'userId', description: 'Only of this user.', schema: () => z.string().min(1).max(maxIdLength) },
];

/** `asker`: the user whose usage is requested; undefined for an administrator, who may name a user and group by user. */
export function parseUsageQuestion(
  query: URLSearchParams,
  asker: string | undefined,
  nowMs: number,
): Result<UsageQuestion, 'bad-request'> {
  const problems: string[] = [];
  const once = onceIn(query, problems);
  const oneOf = <T extends string>(name: string, allowed: readonly T[], fallback: T): T => {
    const value = once(name) ?? fallback;
    const found = allowed.find((each) => each === value);
    if (found === undefined) problems.push(`${name} must be one of ${allowed.join(', ')}`);
    return found ?? fallback;
  };
  const timeOf = (name: string): number | undefined => {
    const value = once(name);
    const atMs = value === undefined ? undefined : parseIsoTime(value);
    if (value !== undefined && atMs === undefined) problems.push(`${name} must be ${timeForm}`);
    return atMs;
  };
  const id = (name: string): string | undefined => {
    const value = once(name);
    if (value === '' || (value?.length ?? 0) > maxIdLength)
      problems.push(`${name} must have 1 to ${maxIdLength} characters`);
    return value;
  };
  const bucket = oneOf('bucket', usageLevels, 'minute');
  const by: UsageQuestion['by'] = asker === undefined ? oneOf('by', adminBys, 'total') : oneOf('by', ownBys, 'total');
  const endMs = timeOf('to') ?? nowMs;
  const askedFromMs = timeOf('from') ?? endMs - 3_600_000;
  const [keyId, network, named] = [id('keyId'), id('network'), asker === undefined ? id('userId') : asker];
  if (problems.length === 0 && askedFromMs >= endMs) problems.push('from must be before to');
  if (problems.length > 0) return refused('bad-request', problems.join('; '));
  const size = bucketMs[bucket];
  // Whole buckets: of a split bucket, rolled-up requests would count and the others would not.
  const [fromMs, toMs] = [Math.floor(askedFromMs / size) * size, Math.ceil(endMs / size) * size];
  const wide = tooWide({ bucket, fromMs, toMs, nowMs });
  if (wide !== undefined) return refused('bad-request', wide);
  return ok({
    ...{ bucket, fromMs, toMs, by },
    ...(named === undefined ? {} : { userId: named }),
    ...(keyId === undefined ? {} : { keyId }),
    ...(network === undefined ? {} : { network }),
  });
}

type Range = Pick<UsageQuestion, 'bucket' | 'fromMs' | 'toMs'> & { readonly nowMs: number };

function tooWide(range: Range): string | undefined {
  const { bucket, fromMs, toMs, nowMs } = range;
  // Usage that was stored when the caller read the clock is answered.
  if (fromMs < nowMs - storedMs[bucket] - bucketMs[bucket]) return `${storedFor[bucket]}: ${adviceFor(range, 1)}`;
  if (bucketsIn(bucket, fromMs, toMs) > maxRows)
    return `The answer would have over ${maxRows} rows: ${adviceFor(range, 1)}`;
  return undefined;
}

/** What to request instead: the shortest bucket length whose rows fit. */
export function adviceFor({ bucket, fromMs, toMs, nowMs }: Range, rowsForEach: number): string {
  const longer = usageLevels.slice(usageLevels.indexOf(bucket) + 1);
  const fits = longer.find(
    (each) => bucketsIn(each, fromMs, toMs) * rowsForEach <= maxRows && fromMs >= nowMs - storedMs[each],
  );
  return fits === undefined ? 'request a shorter time' : `request bucket=${fits}, or a shorter time`;
}

function bucketsIn(bucket: UsageLevel, fromMs: number, toMs: number): number {
  return Math.ceil(toMs / bucketMs[bucket]) - Math.floor(fromMs / bucketMs[bucket]);
}
