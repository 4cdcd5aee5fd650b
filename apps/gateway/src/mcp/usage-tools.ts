/** The tool for what a caller has used (contract/agents#tools). */

import { z } from 'zod';
import { ownBys } from '../usage/usage-query.ts';
import { usageLevels } from '../usage/usage-store.ts';
import { resultOf } from './gateway-call.ts';
import { reading, type Tool, tool, withQuery } from './tool.ts';

const text = () => z.string().min(1).max(1_024);

const getUsage = tool({
  name: 'get_usage',
  title: 'See what was used',
  description:
    "The caller's own requests, refusals and durations in milliseconds by minute, hour or day, the oldest first; by default the last hour by minute. A bucket without requests has no row. What was asked in the last seconds may be missing.",
  input: () =>
    z.strictObject({
      from: text().optional().describe('The first bucket is the one with this time: ISO 8601 with a zone.'),
      to: text().optional().describe('Buckets that begin before this time. Default now.'),
      bucket: z.enum(usageLevels).optional().describe('Default minute; at most 1,000 rows are returned.'),
      by: z.enum(ownBys).optional().describe('One row for each of these. Default total.'),
      keyId: text().optional().describe('Of this API key only.'),
      network: text().optional().describe('On this network only: ethereum/mainnet.'),
    }),
  annotations: reading,
  run: async (ask, query) => resultOf(await ask({ method: 'GET', path: withQuery('/users/me/usage', query) })),
});

export const usageTools: readonly Tool[] = [getUsage];
