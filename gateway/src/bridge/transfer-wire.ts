/** What deposits and withdrawals have in common as callers see them (contract/bridge#kinds). */

import { z } from 'zod';
import { identifier } from '../api/body-members.ts';
import type { BridgeSide } from './bridge.ts';

export const transferKinds = ['native', 'token', 'message'] as const;

export const transactionHash = (description: string) =>
  z.string().meta({ description, pattern: '^0x[0-9a-f]{64}$', examples: [`0x${'4e'.repeat(32)}`] });

export const transferPlace = (description: string) =>
  z.object({ dlt: identifier(), networkId: identifier() }).describe(description);

export function placeView({ dlt, networkId }: BridgeSide): { readonly dlt: string; readonly networkId: string } {
  return { dlt, networkId };
}
