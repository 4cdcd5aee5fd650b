/** Turns the result of a function into the response of its route: a refusal is returned unchanged, a value becomes the body. */

import type { Ok } from '@flowgate/base/result';
import type { Reply, RouteAnswer, RouteRefusal } from './route.ts';

/** 200 with the value as body. */
export function okReply(result: Ok<unknown> | RouteRefusal, headers?: Reply['headers']): RouteAnswer {
  if (!result.ok) return result;
  return { status: 200, body: result.value, ...(headers === undefined ? {} : { headers }) };
}

/** 204 without the value. */
export function emptyReply(result: { readonly ok: true } | RouteRefusal): RouteAnswer {
  return result.ok ? { status: 204 } : result;
}
