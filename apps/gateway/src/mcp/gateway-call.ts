/** Calls the gateway for a tool: sends one request to the gateway's own edge and turns the response into a tool result. */

import { isJsonObject, type JsonObject } from '@flowgate/json/json-object';
import { parseJsonBytes } from '@flowgate/json/json-text';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { GatewayCall } from './mcp-routes.ts';

export type GatewayRequest = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

export type GatewayResponse = {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON; `undefined` when there is none. */
  readonly body: unknown;
};

export type Ask = (question: GatewayRequest) => Promise<GatewayResponse>;

/** Only the path is used; this host name is never resolved. */
const inside = 'http://gateway.invalid';

export function createAsk(call: GatewayCall): Ask {
  return async ({ method, path, body, headers }) => {
    const request = new Request(inside + path, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { status, headers: given, body: stream } = await call(request);
    const bytes = stream === null ? new Uint8Array(0) : await wholeOf(stream);
    if (bytes === undefined) return tooLong(given);
    if (bytes.length === 0) return { status, headers: given, body: undefined };
    const parsed = parseJsonBytes(bytes, { maxDepth: Number.POSITIVE_INFINITY });
    return typeof parsed === 'string' ? unreadable(given) : { status, headers: given, body: parsed.value };
  };
}

/** A longer answer would be parsed and serialized twice while all other requests wait, and no agent reads that much. */
const maxAnswerBytes = 524_288;

/** Undefined when the stream exceeds the bound; the rest is not read. */
async function wholeOf(stream: ReadableStream<Uint8Array>): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of stream) {
    bytes += part.length;
    if (bytes > maxAnswerBytes) return undefined;
    parts.push(part);
  }
  return parts.length === 1 ? parts[0] : Buffer.concat(parts);
}

function tooLong(headers: Headers): GatewayResponse {
  const message = `The call was executed, but its answer has more than ${maxAnswerBytes} bytes, the maximum of a tool result. Request less data, or call the gateway without a tool.`;
  return { status: 502, headers, body: { message } };
}

/** Results are parsed and serialized again. Only the gateway's own JSON is certain to survive that unchanged. */
function unreadable(headers: Headers): GatewayResponse {
  const message =
    'A tool result cannot represent a number in this answer exactly. Call the node over JSON-RPC instead, which returns its answer unchanged.';
  return { status: 502, headers, body: { message } };
}

/** Turns the gateway's response into a tool result: its body with the members of `more`, or its error. */
export function resultOf(answer: GatewayResponse, more: Readonly<Record<string, unknown>> = {}): CallToolResult {
  const body = isJsonObject(answer.body) ? answer.body : {};
  return answer.status < 400 ? success({ ...body, ...more }) : failure(answer, body);
}

export function success(structuredContent: JsonObject): CallToolResult {
  return { structuredContent, content: [{ type: 'text', text: JSON.stringify(structuredContent) }] };
}

/** A refusal is a tool result, not a protocol error, so that the agent reads it. Agents see no headers, so the result includes `Retry-After`. */
export function failure({ headers }: Pick<GatewayResponse, 'headers'>, error: JsonObject): CallToolResult {
  const seconds = headers.get('Retry-After');
  return { ...success(seconds === null ? error : { ...error, retryAfterSeconds: Number(seconds) }), isError: true };
}
