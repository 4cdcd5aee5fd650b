/** Answers an agent's message: `mcp/` handles it, and its tools send subrequests to the edge (contract/agents). */

import type { IncomingRequest, OutgoingReply } from '@flowgate/http1/server/incoming-request';
import type { AgentAnswer, AgentHandler, GatewayCall } from '../../mcp/mcp-routes.ts';
import type { AccessControl } from '../contexts/access-control.ts';
import type { AgentContext } from '../contexts/agent-context.ts';
import type { AnswerFailure } from '../contexts/answer-failure.ts';
import { FetchRequest } from '../contexts/fetch-request.ts';
import { toResponse } from '../contexts/fetch-response.ts';
import type { StepResult } from '../contexts/pipeline.ts';
import { noAnswerBudget, type Refusal, type RequestContext } from '../contexts/request-context.ts';
import { charge, noteUncharged } from './charge.ts';

export type Subrequests = {
  /** Opens a subrequest of `outer`, with its id and its client address. It is accepted even during a drain. */
  readonly openSubrequest: (request: IncomingRequest, outer: RequestContext) => RequestContext;
  readonly answer: (context: RequestContext) => OutgoingReply | Promise<OutgoingReply>;
};

export type AgentServices = Pick<AccessControl, 'limiter' | 'unchargedDecoding'> & {
  readonly handler: AgentHandler;
  readonly subrequests: Subrequests;
  /** Answers for subrequests that threw an exception. */
  readonly failed: AnswerFailure;
};

/** A tool call is charged by its subrequest, where the session's limit is decided together with the user's (contract/limits#what-counts). */
export function chargeUnlessTool(services: AgentServices, context: AgentContext): StepResult {
  context.tool = services.handler.toolIn(context.message);
  if (context.tool === undefined) return charge(services, context);
  if (context.hasAnswerBudget) return undefined;
  const charged = charge(services, context);
  return charged instanceof Promise ? charged.then(withoutRoom) : withoutRoom(charged);
}

/** The answer of a called tool is always sent, so no tool is called while the budget for answers is used up. */
function withoutRoom(refusal: Refusal | undefined): Refusal {
  return refusal ?? { reason: 'unavailable', detail: noAnswerBudget };
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
    // A call with invalid arguments sends no subrequest; the message is charged instead.
    const refusal = context.admission === undefined ? await charge(services, context) : undefined;
    if (refusal !== undefined) return context.refuse(refusal.reason, refusal);
    if (context.admission?.admitted === false) noteUncharged(services, context);
  }
  context.isRepeatable = context.tool === undefined;
  return context.reply(answer.status, answer.body === '' ? null : answer.body, answer.contentType);
}

/** The headers that determine the caller and the client address. */
const carriedHeaders = ['authorization', 'x-api-key', 'x-forwarded-for'];

function callFrom({ subrequests, failed }: AgentServices, outer: AgentContext): GatewayCall {
  return async (asked) => {
    // When the agent disconnects, the requests of its tool are aborted too.
    const request = new Request(asked, { signal: outer.request.signal });
    for (const name of carriedHeaders) {
      const value = outer.header(name);
      if (value !== null) request.headers.set(name, value);
    }
    const context = subrequests.openSubrequest(new FetchRequest(request), outer);
    outer.asked ??= context;
    // One call of a tool is charged once, regardless of its number of subrequests.
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
