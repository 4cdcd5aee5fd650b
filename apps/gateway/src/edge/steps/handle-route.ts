/** Runs the handler of a REST or Flow route and sends its answer, whole or as a stream. */

import { identifierForm } from '@flowgate/base/identifier';
import { maxPageLimit } from '@flowgate/base/page';
import { type Refused, refused } from '@flowgate/base/result';
import type { OutgoingReply } from '@flowgate/http1/server/incoming-request';
import type { Reply, Route, RouteAnswer, RouteRequest, StreamBody } from '../../api/route.ts';
import type { OpenStreams } from '../contexts/open-streams.ts';
import { noAnswerBudget } from '../contexts/request-context.ts';
import type { RouteContext } from '../contexts/route-context.ts';

export function handleRoute(_services: unknown, context: RouteContext): RouteAnswer | Promise<RouteAnswer> {
  const { route, params, query, requestId, json } = context;
  // PostgreSQL stores no text with U+0000, and no valid value contains it.
  if (context.request.target.includes('%00')) return zeroRefused(query);
  // A Flow App's answer may be large, and is always sent once the app has run.
  if (context.envelope === 'flow' && context.method === 'POST' && !context.hasAnswerBudget)
    return refused('unavailable', noAnswerBudget);
  const asked: RouteRequest = {
    params,
    query,
    requestId,
    body: json,
    header: (name) => context.header(name.toLowerCase()),
    concerns(appId) {
      context.app = appId;
    },
  };
  if (route.accessLevel === 'public') return route.handle(asked);
  const { caller } = context;
  return route.handle({ ...asked, caller, query: caller.via === 'api-key' ? withLongPages(route, query) : query });
}

/** Lists have the maximum page size for programs, unless they request another (contract/conventions#lists). */
function withLongPages({ doc }: Pick<Route, 'doc'>, query: URLSearchParams): URLSearchParams {
  if (query.has('limit') || doc.query?.some(({ name }) => name === 'limit') !== true) return query;
  const longest = new URLSearchParams(query);
  longest.set('limit', String(maxPageLimit));
  return longest;
}

/** Names the parameters that contain U+0000, except those whose name is no identifier. */
function zeroRefused(query: URLSearchParams): Refused<'bad-request'> {
  const names = [...query].flatMap(([name, value]) =>
    value.includes('\0') && identifierForm.test(name) ? [name] : [],
  );
  return refused('bad-request', `${[...new Set(names)].join(', ') || 'the query'} must not contain U+0000 (%00)`);
}

export function replyToRoute(
  { streams }: { readonly streams: OpenStreams },
  context: RouteContext,
  answer: RouteAnswer,
): OutgoingReply {
  if ('reason' in answer) return context.refuse(answer.reason, answer);
  if (answer.stream !== undefined) return replyWithStream(streams, context, answer, answer.stream);
  return context.reply(answer.status, bodyOf(answer), contentTypeOf(answer), answer.headers);
}

function replyWithStream(
  streams: OpenStreams,
  context: RouteContext,
  { status, contentType, headers }: Reply,
  begin: StreamBody,
): OutgoingReply {
  if (context.method === 'HEAD') return context.reply(status, null, contentType, headers);
  const { credential } = context;
  // An authenticated caller has a credential.
  if (credential.kind !== 'api-key' && credential.kind !== 'token') return context.refuse('internal');
  const letGo = () => context.letGo();
  const opened = streams.open({ userId: context.caller.userId, credential, letGo }, begin);
  if ('reason' in opened) {
    letGo();
    return context.refuse(opened.reason, opened);
  }
  // A stream is the last answer on its connection.
  return { ...context.reply(status, opened, contentType, { ...headers, Connection: 'close' }), isOpenEnded: true };
}

function bodyOf(reply: Reply): string | Uint8Array<ArrayBuffer> | null {
  if (reply.body === undefined) return null;
  if (reply.contentType !== undefined && (typeof reply.body === 'string' || isBytes(reply.body))) return reply.body;
  return JSON.stringify(reply.body);
}

function isBytes(body: unknown): body is Uint8Array<ArrayBuffer> {
  return body instanceof Uint8Array && body.buffer instanceof ArrayBuffer;
}

function contentTypeOf(reply: Reply): string | undefined {
  return reply.body === undefined ? undefined : (reply.contentType ?? 'application/json');
}
