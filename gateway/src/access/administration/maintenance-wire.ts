/** Maintenance as administrators set and see it (contract/administration#maintenance). */

import { z } from 'zod';
import { listOf, mustBe, optional, plainText } from '../../api/body-members.ts';
import { type BodyOf, bodySchema } from '../../api/body-schema.ts';
import type { MaintenanceRecord } from './maintenance-store.ts';

export const maxMessageLength = 500;
export const maxNetworks = 100;
const mostRetryAfterSeconds = 86_400;
const defaultRetryAfterSeconds = 60;

const surface = () => z.enum(['rpc', 'rest', 'flow'], { error: 'may hold "rpc", "rest" and "flow" only' });
const networkName = () =>
  z
    .string(mustBe('a string'))
    .max(256, { error: 'must have at most 256 characters' })
    .regex(/^[^/]+\/[^/]+$/, { error: 'must name a network as dlt/networkId' });
const retryAfterSeconds = () =>
  z
    .int({ error: `must be a whole number of seconds from 1 to ${mostRetryAfterSeconds}` })
    .min(1, { error: `must be from 1 to ${mostRetryAfterSeconds}` })
    .max(mostRetryAfterSeconds, { error: `must be from 1 to ${mostRetryAfterSeconds}` });

export const maintenanceInput = bodySchema(
  'MaintenanceInput',
  'What is to be refused with 503. It replaces what was set before.',
  () =>
    z.object({
      active: z.boolean(mustBe('true or false')).describe('False: nothing is refused.'),
      message: optional(plainText(maxMessageLength, { label: false })).describe('Told to callers.'),
      retryAfterSeconds: optional(retryAfterSeconds())
        .describe('Sent as `Retry-After`.')
        .meta({ default: defaultRetryAfterSeconds }),
      surfaces: optional(listOf(surface(), { min: 1, max: 3, mustBe: 'an array of strings' })).describe(
        'JSON-RPC, REST, Flow Apps. Left out: all, or the calls of `networks` when these are given.',
      ),
      networks: optional(listOf(networkName(), { min: 1, max: maxNetworks, mustBe: 'an array of strings' })).describe(
        'Only calls to these networks and their nodes are refused on `rpc`; the other surfaces do not look at it.',
      ),
    }),
  { active: true, message: 'A node is being replaced.', retryAfterSeconds: 300, networks: ['ethereum/mainnet'] },
);

export const maintenanceBody = bodySchema(
  'MaintenanceStatus',
  'What is set.',
  () =>
    z.object({
      active: z.boolean().describe('Whether anything is refused.'),
      message: z.string().describe('Told to callers.').exactOptional(),
      retryAfterSeconds: z.int().min(1).max(mostRetryAfterSeconds).describe('Sent as `Retry-After`.'),
      surfaces: z
        .array(z.enum(['rpc', 'rest', 'flow']))
        .describe('What is refused.')
        .exactOptional(),
      networks: z.array(z.string()).describe('Which networks’ calls are refused.').exactOptional(),
    }),
  { active: false, retryAfterSeconds: 60 },
);

export const noMaintenance: MaintenanceRecord = { active: false, retryAfterSeconds: defaultRetryAfterSeconds };

export function maintenanceView(record: MaintenanceRecord): BodyOf<typeof maintenanceBody> {
  return record;
}

export function maintenanceOf(input: BodyOf<typeof maintenanceInput>): MaintenanceRecord {
  const { active, message, retryAfterSeconds: seconds = defaultRetryAfterSeconds, surfaces, networks } = input;
  return {
    active,
    ...(message === undefined ? {} : { message }),
    retryAfterSeconds: seconds,
    ...(surfaces === undefined ? {} : { surfaces: [...new Set(surfaces)] }),
    ...(networks === undefined ? {} : { networks: [...new Set(networks)] }),
  };
}
