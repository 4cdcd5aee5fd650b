/** The members that deposits and withdrawals share in responses (contract/bridge#kinds). */

import { isoTime } from '@flowgate/base/iso-time';
import { identifier, time } from '@flowgate/body-schema/body-members';
import { z } from 'zod';
import type { BridgeSide } from '../bridges/bridge.ts';

export const transferKinds = ['native', 'token', 'message'] as const;

export const transactionHash = (description: string) =>
  z.string().meta({ description, pattern: '^0x[0-9a-f]{64}$', examples: [`0x${'4e'.repeat(32)}`] });

export const transferPlace = (description: string) =>
  z.object({ dlt: identifier(), networkId: identifier() }).describe(description);

export function placeView({ dlt, networkId }: BridgeSide): { readonly dlt: string; readonly networkId: string } {
  return { dlt, networkId };
}

/** `source`: the side where a record begins. */
export const transferTimes = (source: 'L1' | 'L2') => ({
  createdAt: time(`The time of the block on ${source}.`),
  updatedAt: time('When the gateway last found a change of this record.'),
  statusChangedAt: time('When the gateway found the current `status`.'),
  staleSince: time(
    'Present when a chain that could change this record is not read: the time since which the record may be outdated.',
  ).exactOptional(),
});

type Times = Readonly<Record<'createdAtMs' | 'updatedAtMs' | 'statusChangedAtMs', number>>;

export function timesView({ createdAtMs, updatedAtMs, statusChangedAtMs }: Times, staleSinceMs: number | undefined) {
  return {
    createdAt: isoTime(createdAtMs),
    updatedAt: isoTime(updatedAtMs),
    statusChangedAt: isoTime(statusChangedAtMs),
    ...(staleSinceMs !== undefined && { staleSince: isoTime(staleSinceMs) }),
  };
}
