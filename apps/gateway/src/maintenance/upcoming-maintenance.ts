/** Planned maintenance as every caller may see it before it begins (contract/administration#planned-maintenance). */

import type { Clock } from '@flowgate/base/clock';
import { isoTime } from '@flowgate/base/iso-time';
import { ok } from '@flowgate/base/result';
import { time } from '@flowgate/body-schema/body-members';
import { type BodyOf, bodySchema } from '@flowgate/body-schema/body-schema';
import { z } from 'zod';
import { okReply } from '../api/reply-of.ts';
import type { CallerRoute } from '../api/route.ts';
import type { MaintenanceRecord } from './maintenance-store.ts';

export const upcomingMaintenance = bodySchema(
  'UpcomingMaintenance',
  'Maintenance that begins soon; an empty object when none does.',
  () =>
    z.object({
      startsAt: time('When it begins.').exactOptional(),
      endsAt: time('When it ends by itself.').exactOptional(),
      message: z.string().describe('For people.').exactOptional(),
      networks: z.array(z.string()).describe('Only calls to these networks are concerned.').exactOptional(),
    }),
  { startsAt: '2026-11-23T22:00:00.000Z', endsAt: '2026-11-23T23:00:00.000Z', message: 'A node is being replaced.' },
);

/** The notice time when `noticeMinutes` is not set. */
export const defaultNoticeMinutes = 1_440;

export function upcomingOf(record: MaintenanceRecord | undefined, nowMs: number): BodyOf<typeof upcomingMaintenance> {
  if (record?.active !== true || record.startsAtMs === undefined) return {};
  const { startsAtMs, endsAtMs, message, networks, noticeMinutes = defaultNoticeMinutes } = record;
  if (nowMs >= startsAtMs || nowMs < startsAtMs - noticeMinutes * 60_000) return {};
  return {
    startsAt: isoTime(startsAtMs),
    ...(endsAtMs === undefined ? {} : { endsAt: isoTime(endsAtMs) }),
    ...(message === undefined ? {} : { message }),
    ...(networks === undefined ? {} : { networks: [...networks] }),
  };
}

export type UpcomingDeps = {
  /** The maintenance that is set, as this gateway knows it. */
  readonly current: () => MaintenanceRecord | undefined;
  readonly clock: Pick<Clock, 'now'>;
};

export function upcomingRoutes({ current, clock }: UpcomingDeps): readonly CallerRoute[] {
  return [
    {
      method: 'GET',
      path: '/maintenance',
      accessLevel: 'caller',
      doc: {
        summary: 'Read what maintenance begins soon',
        description:
          'Empty until `noticeMinutes` before it begins, and from its beginning on, when requests are refused.',
        tag: 'Gateway',
        responses: [
          { status: 200, description: 'What begins.', schema: upcomingMaintenance, headers: ['Cache-Control'] },
        ],
        refusals: [],
      },
      handle: async () => okReply(ok(upcomingOf(current(), clock.now())), { 'Cache-Control': 'no-store' }),
    },
  ];
}
