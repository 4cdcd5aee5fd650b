/** The route for AI agents, and the interface of its handler (contract/agents). */

import type { BodySchema } from '@flowgate/body-schema/body-schema';
import type { RefusalReason } from '../api/refusal.ts';
import { jsonRpcRequest, jsonRpcResponse } from '../rpc/message-wire.ts';

export type AgentRoute = {
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly message: BodySchema;
  readonly answer: BodySchema;
};

export const agentRoute: AgentRoute = {
  path: '/mcp',
  summary: 'Model Context Protocol',
  description:
    'One message of the Model Context Protocol over Streamable HTTP, without sessions, GET streams and batches: any gateway can answer any message. Tools call the same routes as other clients, with the same credential, limits and policies. A tool call counts as one request. A refusal by a route is a tool result with `isError` and the error body.',
  message: jsonRpcRequest,
  answer: jsonRpcResponse,
};

/** The refusals of the path itself, for the reference. */
export const agentRefusals: readonly RefusalReason[] = ['not-permitted'];

/** One message, with the request headers that the protocol reads. */
export type AgentMessage = {
  readonly headers: Headers;
  /** The parsed body; `undefined` when it is not JSON. */
  readonly body: unknown;
};

export type AgentAnswer = { readonly status: number; readonly contentType: string | undefined; readonly body: string };

/** Sends a request to the gateway for the agent's caller, with the caller's credential and limits. Never rejects. */
export type GatewayCall = (request: Request) => Promise<Response>;

export type AgentHandler = {
  /** The name of the tool that the message calls, if the tool exists. Such a message is charged for the tool's requests only. */
  readonly toolIn: (body: unknown) => string | undefined;
  /** Never rejects because of a caller's input. */
  readonly answer: (message: AgentMessage, call: GatewayCall) => Promise<AgentAnswer>;
};
