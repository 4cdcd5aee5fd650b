/** Users' own limits in the administration API (contract/administration#limits-of-a-user). */

import { optional } from '@flowgate/body-schema/body-members';
import { bodySchema } from '@flowgate/body-schema/body-schema';
import { z } from 'zod';

const bounds = {
  userPerMinute: 1_000_000,
  sessionPerMinute: 1_000_000,
  maxActiveKeys: 1_000,
  nodes: 1_000,
} as const;

const descriptions = {
  userPerMinute: 'Requests in any 60 seconds over all keys and tokens.',
  sessionPerMinute: 'Requests in any 60 seconds to one Flow session.',
  maxActiveKeys: 'Active API keys. Keys beyond a lowered limit remain valid; no further ones can be created.',
  nodes: 'Registered nodes. Nodes beyond a lowered limit stay; none can be registered.',
} as const;

const whole = (name: keyof typeof bounds) => {
  const error = `must be a whole number from 1 to ${bounds[name]}`;
  return z.int({ error }).min(1, { error }).max(bounds[name], { error }).describe(descriptions[name]);
};

export const userLimitsInput = bodySchema(
  'UserLimitsInput',
  'The limits of one user. They replace all earlier ones; an absent limit is the configured one.',
  () =>
    z.object({
      userPerMinute: optional(whole('userPerMinute')),
      sessionPerMinute: optional(whole('sessionPerMinute')),
      maxActiveKeys: optional(whole('maxActiveKeys')),
      nodes: optional(whole('nodes')),
    }),
  { userPerMinute: 3_000, maxActiveKeys: 50 },
);

export const userLimitsBody = bodySchema(
  'UserLimits',
  'A user’s own limits; what is absent is as configured.',
  () =>
    z.object({
      userPerMinute: whole('userPerMinute').exactOptional(),
      sessionPerMinute: whole('sessionPerMinute').exactOptional(),
      maxActiveKeys: whole('maxActiveKeys').exactOptional(),
      nodes: whole('nodes').exactOptional(),
    }),
  { userPerMinute: 3_000, maxActiveKeys: 50 },
);

const configured = (name: keyof typeof descriptions) => z.int().min(1).describe(descriptions[name]);

/** The limits of users without limits of their own. */
export const userLimitsReport = bodySchema(
  'UserLimitsReport',
  'A user’s own limits, and the configured limits of all users.',
  () =>
    userLimitsBody.schema().extend({
      configured: z
        .object({
          userPerMinute: configured('userPerMinute'),
          sessionPerMinute: configured('sessionPerMinute'),
          maxActiveKeys: configured('maxActiveKeys'),
          nodes: configured('nodes'),
        })
        .describe('In force where the user has no limit of their own.'),
    }),
  {
    userPerMinute: 3_000,
    configured: { userPerMinute: 300, sessionPerMinute: 60, maxActiveKeys: 10, nodes: 20 },
  },
);
