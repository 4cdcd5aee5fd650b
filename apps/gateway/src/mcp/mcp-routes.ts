/** The path for AI agents, and the port behind it (contract/agents). */

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
    'One message of the Model Context Protocol (Streamable HTTP, without sessions: any gateway answers any message; no GET stream, no batches). The tools call the same routes as other clients, under the same credential, limits and rules; a call of a tool counts as one request. What a route refuses is a tool result with `isError`, holding the error body.',
  message: jsonRpcRequest,
  answer: jsonRpcResponse,
};

/** Every refusal that the path itself gives, for the reference. */
export const agentRefusals: readonly RefusalReason[] = ['not-permitted'];

/** One message, and the request headers that the protocol reads. */
export type AgentMessage = {
  readonly headers: Headers;
  /** The parsed body; `undefined` when it is not JSON. */
  readonly body: unknown;
};

export type AgentAnswer = { readonly status: number; readonly contentType: string | undefined; readonly body: string };

/** Answers as the gateway answers the agent's caller: same credential, limits and envelopes. Never rejects. */
export type GatewayCall = (request: Request) => Promise<Response>;

export type AgentHandler = {
  /** The tool that the message calls, if that exists: such a call is charged for what it asks the gateway. */
  readonly toolIn: (body: unknown) => string | undefined;
  /** Never rejects because of a caller's input. */
  readonly answer: (message: AgentMessage, call: GatewayCall) => Promise<AgentAnswer>;
};
