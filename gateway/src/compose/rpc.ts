/** JSON-RPC: what the path of a call names. */

import { createTimeSlices } from '../platform/time-slices.ts';
import { createRpcTargets, type RpcTargets } from '../rpc/target.ts';
import type { Ledgers } from './ledgers.ts';
import { type Part, part } from './part.ts';
import type { Surroundings } from './surroundings.ts';

export type Rpc = { readonly targets: RpcTargets; readonly part: Part };

export function openRpc({ clock }: Surroundings, { ledgers }: { readonly ledgers: Ledgers }): Rpc {
  return { targets: createRpcTargets(ledgers.networks, createTimeSlices(clock)), part: part() };
}
