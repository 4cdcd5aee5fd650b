/** Maintenance in the administration API (contract/administration#maintenance). */

import { isoTime, parseIsoTime } from '@flowgate/base/iso-time';
import { listOf, mustBe, optional, plainText, time } from '@flowgate/body-schema/body-members';
import { type BodyOf, bodySchema } from '@flowgate/body-schema/body-schema';
import { z } from 'zod';
import type { MaintenanceRecord } from './maintenance-store.ts';

export const maxMessageLength = 500;
export const maxNetworks = 100;
const maxRetryAfterSeconds = 86_400;
const defaultRetryAfterSeconds = 60;

const surface = () => z.enum(['rpc', 'rest', 'flow'], { error: 'may contain "rpc", "rest" and "flow" only' });
const networkName = () =>
  z
    .string(mustBe('a string'))
    .max(256, { error: 'must have at most 256 characters' })
    .regex(/^[^/]+\/[^/]+$/, { error: 'must name a network as dlt/networkId' });
const retryAfterSeconds = () =>
  z
    .int({ error: `must be a whole number of seconds from 1 to ${maxRetryAfterSeconds}` })
    .min(1, { error: `must be from 1 to ${maxRetryAfterSeconds}` })
    .max(maxRetryAfterSeconds, { error: `must be from 1 to ${maxRetryAfterSeconds}` });

const instant = () =>
  z
    .string(mustBe('an ISO 8601 timestamp with a zone'))
    .refine((text) => parseIsoTime(text) !== undefined, { error: 'must be an ISO 8601 timestamp with a zone' })
    .meta({ format: 'date-time' });
const maxNoticeMinutes = 43_200;
const noticeMinutes = () => {
  const error = `must be a whole number of minutes from 0 to ${maxNoticeMinutes}`;
  return z.int({ error }).min(0, { error }).max(maxNoticeMinutes, { error });
};

export const maintenanceInput = bodySchema(
  'MaintenanceInput',
  'The surfaces and networks that answer 503. Replaces the present maintenance.',
  () =>
    z.object({
      active: z.boolean(mustBe('true or false')).describe('False: nothing is refused.'),
      message: optional(plainText(maxMessageLength, { label: false })).describe('Callers receive this message.'),
      retryAfterSeconds: optional(retryAfterSeconds())
        .describe('Sent as `Retry-After`.')
        .meta({ default: defaultRetryAfterSeconds }),
      surfaces: optional(listOf(surface(), { min: 1, max: 3, mustBe: 'an array of strings' })).describe(
        'JSON-RPC, REST, Flow Apps. Left out: all, or the calls of `networks` when these are given.',
      ),
      networks: optional(listOf(networkName(), { min: 1, max: maxNetworks, mustBe: 'an array of strings' })).describe(
        'Only calls to these networks and their nodes are refused on `rpc`; the other surfaces do not look at it.',
      ),
      startsAt: optional(instant()).describe('When it begins; left out: at once.'),
      endsAt: optional(instant()).describe('When it ends by itself; left out: when it is ended.'),
      noticeMinutes: optional(noticeMinutes())
        .describe('How long before `startsAt` every console says that it is coming.')
        .meta({ default: 1_440 }),
    }),
  { active: true, message: 'A node is being replaced.', retryAfterSeconds: 300, networks: ['ethereum/mainnet'] },
);

export const maintenanceBody = bodySchema(
  'MaintenanceStatus',
  'The present maintenance.',
  () =>
    z.object({
      active: z.boolean().describe('Whether anything is refused, or will be from `startsAt` on.'),
      message: z.string().describe('Callers receive this message.').exactOptional(),
      retryAfterSeconds: z.int().min(1).max(maxRetryAfterSeconds).describe('Sent as `Retry-After`.'),
      surfaces: z
        .array(z.enum(['rpc', 'rest', 'flow']))
        .describe('The refused surfaces.')
        .exactOptional(),
      networks: z.array(z.string()).describe('The networks whose calls are refused.').exactOptional(),
      startsAt: time('When it begins.').exactOptional(),
      endsAt: time('When it ends by itself.').exactOptional(),
      noticeMinutes: z.int().min(0).describe('How long before its beginning consoles announce it.').exactOptional(),
    }),
  { active: false, retryAfterSeconds: 60 },
);

export const noMaintenance: MaintenanceRecord = { active: false, retryAfterSeconds: defaultRetryAfterSeconds };

export function maintenanceView(record: MaintenanceRecord): BodyOf<typeof maintenanceBody> {
  const { startsAtMs, endsAtMs, ...others } = record;
  return {
    ...others,
    ...(startsAtMs === undefined ? {} : { startsAt: isoTime(startsAtMs) }),
    ...(endsAtMs === undefined ? {} : { endsAt: isoTime(endsAtMs) }),
  };
}

export function maintenanceOf(input: BodyOf<typeof maintenanceInput>): MaintenanceRecord {
  const { active, message, retryAfterSeconds: seconds = defaultRetryAfterSeconds, surfaces, networks } = input;
  const [startsAtMs, endsAtMs] = [input.startsAt, input.endsAt].map((at) =>
    at == null ? undefined : parseIsoTime(at),
  );
  return {
    active,
    ...(message === undefined ? {} : { message }),
    retryAfterSeconds: seconds,
    ...(surfaces === undefined ? {} : { surfaces: [...new Set(surfaces)] }),
    ...(networks === undefined ? {} : { networks: [...new Set(networks)] }),
    ...(startsAtMs === undefined ? {} : { startsAtMs }),
    ...(endsAtMs === undefined ? {} : { endsAtMs }),
    ...(input.noticeMinutes === undefined ? {} : { noticeMinutes: input.noticeMinutes }),
  };
}
