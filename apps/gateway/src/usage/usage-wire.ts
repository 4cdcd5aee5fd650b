/** Usage as callers see it (contract/usage#rows). */

import { isoTime } from '@flowgate/base/iso-time';
import { time } from '@flowgate/body-schema/body-members';
import { type BodyOf, bodySchema } from '@flowgate/body-schema/body-schema';
import { z } from 'zod';
import { quantileMs } from './duration-bins.ts';
import type { UsageSum } from './usage-store.ts';

/** More rows than this are refused. */
export const maxRows = 1_000;

const count = (description: string) => z.int().min(0).describe(description);
const duration = (share: string) =>
  z
    .number()
    .min(0)
    .describe(`Milliseconds within which ${share} of them were answered; absent when all were refused by a limit.`)
    .exactOptional();

const exampleRow = {
  at: '2026-11-23T10:00:00.000Z',
  requests: 240,
  failed: 2,
  limited: 0,
  cached: 61,
  p50Ms: 12.4,
  p95Ms: 48.1,
};

export const usageRow = bodySchema(
  'UsageRow',
  'What was used in one bucket of time.',
  () =>
    z.object({
      at: time('When the bucket begins.'),
      by: z.string().describe('What the row is about, for `by` other than `total`.').exactOptional(),
      requests: count('All requests, each message of a batch is one.'),
      failed: count('Of these, refused or not answered, but not by a limit.'),
      limited: count('Of these, refused by a limit.'),
      cached: count('Of these, answered without asking a node.'),
      p50Ms: duration('half'),
      p95Ms: duration('95 %'),
    }),
  exampleRow,
);

export const usageReport = bodySchema(
  'UsageReport',
  'Usage, the oldest bucket first; one without requests has no row.',
  () => z.object({ data: z.array(usageRow.schema()).describe(`At most ${maxRows}.`) }),
  { data: [exampleRow] },
);

export function usageRowView({ atMs, by, requests, byOutcome, bins }: UsageSum): BodyOf<typeof usageRow> {
  const [p50Ms, p95Ms] = [quantileMs(bins, 0.5), quantileMs(bins, 0.95)];
  return {
    at: isoTime(atMs),
    ...(by === '' ? {} : { by }),
    requests,
    failed: byOutcome.refused + byOutcome.failed,
    limited: byOutcome.limited,
    cached: byOutcome.cached,
    ...(p50Ms === undefined ? {} : { p50Ms }),
    ...(p95Ms === undefined ? {} : { p95Ms }),
  };
}
