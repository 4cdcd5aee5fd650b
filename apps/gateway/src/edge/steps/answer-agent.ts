/** Answers an agent's message: `mcp/` handles it, and its tools come back as subrequests (contract/agents). */

import type { IncomingRequest, OutgoingReply } from '@flowgate/http1/server/incoming-request';
import type { AgentAnswer, AgentHandler, GatewayCall } from '../../mcp/mcp-routes.ts';
import type { AccessControl } from '../contexts/access-control.ts';
import type { AgentContext } from '../contexts/agent-context.ts';
import type { AnswerFailure } from '../contexts/answer-failure.ts';
import { FetchRequest } from '../contexts/fetch-request.ts';
import { toResponse } from '../contexts/fetch-response.ts';
import type { StepResult } from '../contexts/pipeline.ts';
import { noAnswerRoom, type Refusal, type RequestContext } from '../contexts/request-context.ts';
import { charge, noteUncharged } from './charge.ts';

export type Subrequests = {
  /** Opens a subrequest of `outer`: accepted with it, under its id, from its address. */
  readonly openSubrequest: (request: IncomingRequest, outer: RequestContext) => RequestContext;
  readonly answer: (context: RequestContext) => OutgoingReply | Promise<OutgoingReply>;
};

export type AgentServices = Pick<AccessControl, 'limiter' | 'unchargedDecoding'> & {
  readonly handler: AgentHandler;
  readonly subrequests: Subrequests;
  /** Answers for subrequests that threw. */
  readonly failed: AnswerFailure;
};

/** A tool's call is charged for what it asks, where the session's limit is decided together with the user's (contract/limits#what-counts). */
export function chargeUnlessTool(services: AgentServices, context: AgentContext): StepResult {
  context.tool = services.handler.toolIn(context.message);
  if (context.tool === undefined) return charge(services, context);
  if (context.hasAnswerRoom) return undefined;
  const charged = charge(services, context);
  return charged instanceof Promise ? charged.then(withoutRoom) : withoutRoom(charged);
}

/** The answer of a tool that was called is always sent, so a tool is not called while its answer would find no room. */
function withoutRoom(refusal: Refusal | undefined): Refusal {
  return refusal ?? { reason: 'unavailable', detail: noAnswerRoom };
}

export function answerAgent(services: AgentServices, context: AgentContext): Promise<AgentAnswer> {
  const headers = new Headers();
  context.request.eachHeader((name, value) => headers.append(name, value));
  return services.handler.answer({ headers, body: context.message }, callFrom(services, context));
}

export async function replyToAgent(
  services: AgentServices,
  context: AgentContext,
  answer: AgentAnswer,
): Promise<OutgoingReply> {
  if (context.tool !== undefined) {
    context.admission = context.toolAdmission;
    // Wrong arguments lead to no subrequest; the request counts all the same.
    const refusal = context.admission === undefined ? await charge(services, context) : undefined;
    if (refusal !== undefined) return context.refuse(refusal.reason, refusal);
    if (context.admission?.admitted === false) noteUncharged(services, context);
  }
  context.isRepeatable = context.tool === undefined;
  return context.reply(answer.status, answer.body === '' ? null : answer.body, answer.contentType);
}

/** The headers that identify the caller and the address. */
const carriedHeaders = ['authorization', 'x-api-key', 'x-forwarded-for'];

function callFrom({ subrequests, failed }: AgentServices, outer: AgentContext): GatewayCall {
  return async (asked) => {
    // When an agent leaves, its tool's requests are aborted too.
    const request = new Request(asked, { signal: outer.request.signal });
    for (const name of carriedHeaders) {
      const value = outer.header(name);
      if (value !== null) request.headers.set(name, value);
    }
    const context = subrequests.openSubrequest(new FetchRequest(request), outer);
    outer.asked ??= context;
    // However many routes one call of a tool asks, it is charged once.
    if (outer.toolAdmission?.admitted === true) context.chargedBefore = outer.toolAdmission;
    try {
      return toResponse(await subrequests.answer(context));
    } catch (cause) {
      return toResponse(failed(context, cause));
    } finally {
      outer.toolAdmission ??= context.admission;
    }
  };
}
