/** Refuses requests while the process drains, so that load balancers send them to another gateway. Subrequests of accepted requests are accepted. */

import type { Refusal, RequestContext } from '../contexts/request-context.ts';

/** `accepting` is false once the process drains. */
export type Accepting = { readonly accepting: () => boolean };

const draining: Refusal = {
  reason: 'unavailable',
  detail: 'The gateway is shutting down.',
  headers: { Connection: 'close' },
};

export function accept({ accepting }: Accepting, context: RequestContext): Refusal | undefined {
  return accepting() || context.isSubrequest ? undefined : draining;
}
