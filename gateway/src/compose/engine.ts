/** Stacks what callers' calls pass on their way to a network's nodes: a list of wrappers of one port, the innermost first. */

import type { WrapPort } from '../rpc/target.ts';
import type { Deployments } from './deployments.ts';
import { type Part, part } from './part.ts';

export type Engine = { readonly wrap: WrapPort; readonly part: Part };

export function openEngine({ deployments }: { readonly deployments: Deployments }): Engine {
  return {
    wrap: (pool, network) => deployments.recorded(pool, network),
    part: part(),
  };
}
