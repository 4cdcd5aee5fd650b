/** An agent's way: origin, credential, body, limits, then the agents room, whose tools come back through this very door (contract/agents). */

import type { AgentHandler, GatewayCall } from '../agents/routes.ts';
import type { Admission } from '../api/rate-limiter.ts';
import { MOST_REQUEST_VALUES, notJson, parseJsonBytes } from '../platform/json/json-text.ts';
import { charge, type Door, decodedForNothing, identify, refusedUnread } from './admit.ts';
import type { AnswerFailure } from './answer-failure.ts';
import { presentedCredential } from './credential.ts';
import type { ReadBody } from './request-body.ts';
import type { RequestContext } from './request-context.ts';

export type AgentService = {
  readonly door: Door;
  readonly readBody: ReadBody;
  readonly handler: AgentHandler;
  /** Whether pages of this origin may talk to agents' tools: without asking, a page that rebinds its name to this address could (MCP, Streamable HTTP, Security). */
  readonly allowsOrigin: (origin: string) => boolean;
  readonly failed: AnswerFailure;
};

/** The door, as seen from inside. */
export type InnerDoor = {
  /** A request that is part of `outer`: let in with it, under its id, from where it came. */
  readonly openInner: (request: Request, outer: RequestContext) => RequestContext;
  readonly answer: (context: RequestContext) => Response | Promise<Response>;
};

export async function serveAgents(service: AgentService, context: RequestContext, inner: InnerDoor): Promise<Response> {
  const { request } = context;
  const { door, handler } = service;
  const origin = request.headers.get('origin');
  if (origin !== null && !service.allowsOrigin(origin)) {
    return context.refuse('not-permitted', { detail: 'Pages of this origin may not talk to this gateway.' });
  }
  const caller = await identify(door, context, presentedCredential(request.headers));
  if ('reason' in caller) {
    context.admission = caller.admission;
    return context.refuse(caller.reason, caller);
  }
  context.userId = caller.userId;
  if (refusedUnread(door, context, caller, 1)) return context.refuse('rate-limited');
  const bytes = await service.readBody(context, caller.userId);
  const refuseLimited = () => {
    decodedForNothing(door, caller, bytes.ok ? bytes.value.length : 0);
    return context.refuse('rate-limited');
  };
  const { body, problem } = bytes.ok ? parsed(bytes.value) : {};
  // A tool's call is charged by what it asks for, where the session's limit is decided with the user's (contract/limits#what-counts).
  const isCall = handler.callsTool(body);
  if (!isCall && !(await charge(door, context, caller, 1))) return refuseLimited();
  if (!bytes.ok) return context.refuse(bytes.reason, { detail: bytes.detail });
  if (problem !== undefined) return context.refuse('bad-request', { detail: problem });

  const calls = callsOf(service, context, inner);
  const answer = await handler.answer({ headers: request.headers, body }, calls.call);
  if (isCall) {
    context.admission = calls.admission();
    // Wrong arguments ask for nothing; the request counts all the same.
    const isCounted = context.admission !== undefined || (await charge(door, context, caller, 1));
    if (!isCounted) return refuseLimited();
    if (context.admission?.admitted === false) decodedForNothing(door, caller, bytes.value.length);
  }
  return context.reply(answer.status, answer.body === '' ? null : answer.body, answer.contentType);
}

/** Whose request it is, and where it came from. */
const carriedHeaders = ['authorization', 'x-api-key', 'x-forwarded-for'];

type InnerCalls = {
  readonly call: GatewayCall;
  /** What the limits said; `undefined` before they were asked. */
  readonly admission: () => Admission | undefined;
};

function callsOf(service: AgentService, outer: RequestContext, inner: InnerDoor): InnerCalls {
  let admission: Admission | undefined;
  return {
    admission: () => admission,
    async call(asked) {
      // An agent that leaves takes what its tool asked for along.
      const request = new Request(asked, { signal: outer.request.signal });
      for (const name of carriedHeaders) {
        const value = outer.request.headers.get(name);
        if (value !== null) request.headers.set(name, value);
      }
      const context = inner.openInner(request, outer);
      // However many routes one call of a tool asks, it counts once.
      if (admission?.admitted === true) context.paid = admission;
      try {
        return await inner.answer(context);
      } catch (cause) {
        return service.failed(context, cause);
      } finally {
        admission ??= context.admission;
      }
    },
  };
}

/** Neither for what is no JSON, which the protocol has an answer for. */
function parsed(bytes: Uint8Array): { readonly body?: unknown; readonly problem?: string } {
  const read = parseJsonBytes(bytes, {
    shows: (name) => /^[\w$.-]{1,64}$/.test(name),
    mostValues: MOST_REQUEST_VALUES,
  });
  if (typeof read !== 'string') return { body: read.value };
  return read === notJson ? {} : { problem: `The body ${read}.` };
}
