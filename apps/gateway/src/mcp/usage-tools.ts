/** The tool for the caller's usage (contract/agents#tools). */

import { z } from 'zod';
import { ownBys } from '../usage/usage-query.ts';
import { usageLevels } from '../usage/usage-store.ts';
import { resultOf } from './gateway-call.ts';
import { reading, type Tool, tool, withQuery } from './tool.ts';

const text = () => z.string().min(1).max(1_024);

const getUsage = tool({
  name: 'get_usage',
  title: 'Get usage',
  description:
    "Returns the caller's own requests, refusals and durations (in milliseconds) by minute, hour or day, oldest first. Default: the last hour by minute. A bucket without requests has no row. Requests of the last seconds may be missing.",
  input: () =>
    z.strictObject({
      from: text().optional().describe('The time of the first bucket: ISO 8601 with a zone.'),
      to: text().optional().describe('Only buckets that begin before this time. Default: now.'),
      bucket: z
        .enum(usageLevels)
        .optional()
        .describe('The length of a bucket. Default: minute. At most 1,000 rows are returned.'),
      by: z.enum(ownBys).optional().describe('One row for each of these. Default: total.'),
      keyId: text().optional().describe('Only requests of this API key.'),
      network: text().optional().describe('Only requests to this network, for example ethereum/mainnet.'),
    }),
  annotations: reading,
  run: async (ask, query) => resultOf(await ask({ method: 'GET', path: withQuery('/users/me/usage', query) })),
});

export const usageTools: readonly Tool[] = [getUsage];
