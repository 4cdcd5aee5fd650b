/** Reads the body. A later step reports a failure, because the credential is verified again first. */

import { takesBody } from '../../api/route.ts';
import type { ReadBody } from '../contexts/request-body.ts';
import type { RequestContext } from '../contexts/request-context.ts';

export function readBody(
  services: { readonly readBody: ReadBody },
  context: RequestContext,
): Promise<undefined> | undefined {
  if (!takesBody(context.method)) return undefined;
  return services.readBody(context, context.caller.userId, context.maxBodyBytes);
}
