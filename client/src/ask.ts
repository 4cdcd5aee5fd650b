/** Calls the routes of the gateway's OpenAPI document, and checks the shapes of the responses. */

import type { Routes } from './generated/routes.ts';
import { unreadable } from './read-answer.ts';
import { hasShape, type Shape } from './shape.ts';
import type { Call, CallOptions, Send } from './transport.ts';

export type Route = keyof Routes;

/** The values of the parameters in the route's path, in order. */
export type Ids<R extends string> = R extends `${string}{${string}}${infer Rest}`
  ? readonly [string, ...Ids<Rest>]
  : readonly [];

type AnyCall = Pick<Call, 'headers' | 'defaultRetries' | 'open'> & {
  readonly body?: unknown;
  /** Includes the question mark; empty without parameters. */
  readonly query?: string;
  /** Whether repeating the call is harmless. Default true. */
  readonly repeatable?: boolean;
  readonly options?: CallOptions | undefined;
};

/** A POST may create a new object each time, so callers always state whether it may be repeated. */
type RouteCall<R extends Route> = AnyCall & { readonly body?: Routes[R]['body'] } & (R extends `POST ${string}`
    ? { readonly repeatable: boolean }
    : unknown);

type AnswerShape<R extends Route> = Routes[R]['answer'] extends undefined ? undefined : Shape<Routes[R]['answer']>;

/** The body of the response. Throws like `Send`, and `FlowgateError` of kind `unreadable` when the body has another shape. */
export async function ask<R extends Route>(
  send: Send,
  route: R,
  shape: AnswerShape<R>,
  ids: Ids<R>,
  call: RouteCall<R>,
): Promise<Routes[R]['answer']> {
  const { query = '', repeatable = true, options = {}, ...more }: AnyCall = call;
  const method = route.slice(0, route.indexOf(' '));
  const { body, facts } = await send({ ...more, method, path: routePath(route, ids) + query, repeatable, options });
  if (shape === undefined) return undefined;
  if (!hasShape(body, shape)) throw unreadable(facts);
  return body;
}

/** Encodes a path segment. Throws `TypeError` for an identifier that cannot be one. */
export function routePath<R extends Route>(route: R, ids: Ids<R>): string {
  let at = 0;
  return route.slice(route.indexOf(' ') + 1).replaceAll(/\{\w+\}/g, () => pathSegment(ids[at++] ?? ''));
}

/** Throws `TypeError` for `.` and `..`, which a URL parser would resolve to another path. */
export function pathSegment(id: string): string {
  if (/^\.{0,2}$/.test(id)) throw new TypeError(`"${id}" is not a valid identifier.`);
  return encodeURIComponent(id);
}
