/** The answer of a route that adds only a status to a use's outcome: the refusal as it is, or the value as the body. */

import type { Ok } from '@flowgate/base/result';
import type { Reply, RouteAnswer, RouteRefusal } from './route.ts';

/** 200 with the value as body. */
export function okReply(result: Ok<unknown> | RouteRefusal, headers?: Reply['headers']): RouteAnswer {
  if (!result.ok) return result;
  return { status: 200, body: result.value, ...(headers === undefined ? {} : { headers }) };
}

/** 204, whatever the value is. */
export function emptyReply(result: { readonly ok: true } | RouteRefusal): RouteAnswer {
  return result.ok ? { status: 204 } : result;
}
