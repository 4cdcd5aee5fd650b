/** A REST or Flow request's way: credential, who may come, limits, body, then the room's own route. */

import type { Caller } from '../api/caller.ts';
import type { RefusalReason } from '../api/refusal.ts';
import type { CallerRoute, Reply, Route, RouteAnswer, StreamBody } from '../api/route.ts';
import { MOST_REQUEST_VALUES, notJson, parseJsonBytes } from '../platform/json/json-text.ts';
import { ok, type Result, refused } from '../platform/result.ts';
import { charge, type Door, identify } from './admit.ts';
import { type Presented, presentedCredential } from './credential.ts';
import type { OpenStreams } from './open-streams.ts';
import type { ReadBody } from './request-body.ts';
import type { RequestContext } from './request-context.ts';

export type RouteService = {
  readonly door: Door;
  readonly readBody: ReadBody;
  readonly streams: OpenStreams;
};

export async function serveRoute(
  service: RouteService,
  context: RequestContext,
  route: Route,
  params: Readonly<Record<string, string>>,
): Promise<Response> {
  const { request, requestId } = context;
  const asked = {
    params,
    query: queryOf(request.url),
    requestId,
    header: (name: string) => request.headers.get(name),
  };
  if (route.admittance === 'public') return send(context, await route.handle({ ...asked, body: undefined }));

  const presented = presentedCredential(request.headers);
  const caller = await identify(service.door, context, presented);
  if ('reason' in caller) {
    context.admission = caller.admission;
    return context.refuse(caller.reason, caller);
  }
  context.userId = caller.userId;
  if (!(await charge(service.door, context, caller, 1, params['sessionId']))) return context.refuse('rate-limited');
  const excluded = whyExcluded(route, caller);
  if (excluded !== undefined) return context.refuse('not-permitted', { detail: excluded });
  const body = takesBody(route) ? await readJson(service, route, context, caller) : ok(undefined);
  if (!body.ok) return context.refuse(body.reason, { detail: body.detail });
  const answer = await route.handle({ ...asked, body: body.value, caller });
  if (!('stream' in answer) || answer.stream === undefined) return send(context, answer);
  return sendStream(service, context, { caller, presented, answer, begin: answer.stream });
}

type StreamAnswer = {
  readonly caller: Caller;
  readonly presented: Presented;
  readonly answer: Reply;
  readonly begin: StreamBody;
};

function sendStream(service: RouteService, context: RequestContext, stream: StreamAnswer): Response {
  const { caller, presented, answer, begin } = stream;
  const { status, contentType, headers } = answer;
  if (context.request.method === 'HEAD') return context.reply(status, null, contentType, headers);
  // Who was identified has presented something.
  if (presented.kind !== 'api-key' && presented.kind !== 'token') return context.refuse('internal');
  const letGo = () => context.letGo();
  // First: the stream may be over as soon as it has begun.
  context.keepOpen();
  const opened = service.streams.open({ userId: caller.userId, credential: presented, letGo }, begin);
  if ('reason' in opened) {
    letGo();
    return send(context, opened);
  }
  // Without its time-out the connection would stay for ever once the stream is over.
  return context.reply(status, opened, contentType, { ...headers, Connection: 'close' });
}

/** By hand: the runtime builds the URL with whatever stands in Host, which need not be one that a URL can hold. */
function queryOf(url: string): URLSearchParams {
  const start = url.indexOf('?');
  const end = url.indexOf('#', start);
  return new URLSearchParams(start < 0 ? '' : url.slice(start + 1, end < 0 ? undefined : end));
}

function whyExcluded(route: CallerRoute, caller: Caller): string | undefined {
  if (route.admittance === 'caller') return undefined;
  if (caller.via === 'api-key') return 'An API key cannot be used here; sign in and send the access token.';
  return route.admittance === 'admin' && !caller.roles.includes('admin') ? 'The role admin is required.' : undefined;
}

function takesBody(route: Route): boolean {
  return route.method === 'POST' || route.method === 'PATCH';
}

async function readJson(
  service: RouteService,
  route: Route,
  context: RequestContext,
  caller: Caller,
): Promise<Result<unknown, RefusalReason>> {
  const bytes = await service.readBody(context, caller.userId, route.maxBodyBytes);
  if (!bytes.ok) return bytes;
  // A route that describes no body needs none.
  if (bytes.value.length === 0 && route.doc.body === undefined) return ok(undefined);
  // Millions of values would be parsed for half a second, and nothing that a route reads holds so many.
  const parsed = parseJsonBytes(bytes.value, { shows: isShownName, mostValues: MOST_REQUEST_VALUES });
  if (typeof parsed !== 'string') return ok(parsed.value);
  return refused('bad-request', parsed === notJson ? 'The body is not valid JSON.' : `The body ${parsed}.`);
}

/** Of the caller's own members, in a sentence to that caller. */
function isShownName(name: string): boolean {
  return /^[\w$.-]{1,64}$/.test(name);
}

function send(context: RequestContext, answer: RouteAnswer): Response {
  if ('reason' in answer) {
    const { reason, ...extras } = answer;
    return context.refuse(reason, extras);
  }
  return context.reply(answer.status, bodyOf(answer), contentTypeOf(answer), answer.headers);
}

function bodyOf(reply: Reply): string | Uint8Array<ArrayBuffer> | null {
  if (reply.body === undefined) return null;
  if (typeof reply.body === 'string' && reply.contentType !== undefined) return reply.body;
  return JSON.stringify(reply.body);
}

function contentTypeOf(reply: Reply): string | undefined {
  return reply.body === undefined ? undefined : (reply.contentType ?? 'application/json');
}
