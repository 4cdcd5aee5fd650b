/** Finds the network or node that a JSON-RPC path names. */

import type { RpcTargets } from '../../rpc/target.ts';
import type { Refusal } from '../request-context.ts';
import type { RpcContext } from '../rpc-context.ts';

const noTarget: Refusal = { reason: 'not-found', detail: 'There is no such network or node.' };

export function findTarget({ targets }: { readonly targets: RpcTargets }, context: RpcContext): Refusal | undefined {
  const target = targets.find(context.params, context.caller);
  if (target === undefined) return noTarget;
  context.target = target;
  return undefined;
}
