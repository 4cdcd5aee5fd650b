/** Usage in responses (contract/usage#rows). */

import { isoTime } from '@flowgate/base/iso-time';
import { time } from '@flowgate/body-schema/body-members';
import { type BodyOf, bodySchema } from '@flowgate/body-schema/body-schema';
import { z } from 'zod';
import { quantileMs } from './duration-bins.ts';
import type { UsageSum } from './usage-store.ts';

/** A query with more rows is refused. */
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
  'The usage of one bucket of time.',
  () =>
    z.object({
      at: time('When the bucket begins.'),
      by: z.string().describe('The label of the row; absent for `total`.').exactOptional(),
      requests: count('All requests; each message of a batch counts as one.'),
      failed: count('Requests that were refused or failed, except by a limit.'),
      limited: count('Requests that a limit refused.'),
      cached: count('Requests that were answered without a node.'),
      p50Ms: duration('half'),
      p95Ms: duration('95 %'),
    }),
  exampleRow,
);

export const usageReport = bodySchema(
  'UsageReport',
  'Usage, oldest bucket first; a bucket without requests has no row.',
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
