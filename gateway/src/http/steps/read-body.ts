/** Reads the body. Why one could not be read is said by the step that decodes it: until then the caller may turn out not to be who came. */

import type { ReadBody } from '../request-body.ts';
import type { RequestContext } from '../request-context.ts';

export function readBody(
  services: { readonly readBody: ReadBody },
  context: RequestContext,
): Promise<undefined> | undefined {
  if (context.method !== 'POST' && context.method !== 'PATCH') return undefined;
  return services.readBody(context, context.caller.userId, context.mostBodyBytes);
}
