/** Opens JSON-RPC: maps the path of a call to its target. */

import { createRpcTargets, type RpcTargets } from '../rpc/target.ts';
import type { Ledgers } from './ledgers.ts';
import { type Part, part } from './part.ts';

export type Rpc = { readonly targets: RpcTargets; readonly part: Part };

export function openRpc({ ledgers }: { readonly ledgers: Ledgers }): Rpc {
  return { targets: createRpcTargets(ledgers.networks), part: part() };
}
