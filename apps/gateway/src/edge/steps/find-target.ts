/** Finds the network or node that a JSON-RPC path names. */

import type { RpcTargets } from '../../rpc/target.ts';
import type { StepResult } from '../contexts/pipeline.ts';
import type { Refusal } from '../contexts/request-context.ts';
import type { RpcContext } from '../contexts/rpc-context.ts';

const noTarget: Refusal = {
  reason: 'not-found',
  detail: 'This gateway has no such network or node: GET /networks and GET /nodes list those that you may call.',
};

type Targets = { readonly targets: RpcTargets };

/** Returns a promise only when the users that a node is shared with must be loaded first. */
export function findTarget(services: Targets, context: RpcContext): StepResult {
  if (isFound(services, context)) return undefined;
  const learning = services.targets.learn(context.params, context.caller);
  return learning === undefined ? noTarget : learning.then(() => (isFound(services, context) ? undefined : noTarget));
}

function isFound({ targets }: Targets, context: RpcContext): boolean {
  const target = targets.find(context.params, context.caller);
  if (target !== undefined) context.target = target;
  return target !== undefined;
}
