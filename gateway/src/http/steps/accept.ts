/** Turns requests away while the process drains, so that their callers come again elsewhere; parts of requests that were let in before are let in. */

import type { Refusal, RequestContext } from '../request-context.ts';

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
