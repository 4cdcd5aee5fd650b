/** How a tool asks the gateway: one request to its own edge, and the response as a tool's result. */

import { isJsonObject, type JsonObject } from '@flowgate/json/json-object';
import { parseJsonBytes } from '@flowgate/json/json-text';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { GatewayCall } from './mcp-routes.ts';

export type Question = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

export type GatewayAnswer = {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON; `undefined` when there is none. */
  readonly body: unknown;
};

export type Ask = (question: Question) => Promise<GatewayAnswer>;

/** Only paths count inside; this host name is never resolved. */
const inside = 'http://gateway.invalid';

export function askThrough(call: GatewayCall): Ask {
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

/** A longer answer would be parsed and written twice into a tool's result while everybody else waits, and no agent reads that much. */
const maxAnswerBytes = 524_288;

/** Undefined as soon as it exceeds the bound; the rest is not fetched. */
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

function tooLong(headers: Headers): GatewayAnswer {
  const message = `The call was made, but its answer has more than ${maxAnswerBytes} bytes, which is too much for a tool's result: ask for less, or ask without a tool.`;
  return { status: 502, headers, body: { message } };
}

/** Results are parsed and written again, which only JSON of the gateway itself survives unchanged. */
function unreadable(headers: Headers): GatewayAnswer {
  const message =
    'The answer holds a number that would be changed here: ask for it over JSON-RPC, where it is not read.';
  return { status: 502, headers, body: { message } };
}

/** The gateway's response as a tool's result: its body, with `more` beside it, or its error. */
export function resultOf(answer: GatewayAnswer, more: Readonly<Record<string, unknown>> = {}): CallToolResult {
  const body = isJsonObject(answer.body) ? answer.body : {};
  return answer.status < 400 ? success({ ...body, ...more }) : failure(answer, body);
}

export function success(structuredContent: JsonObject): CallToolResult {
  return { structuredContent, content: [{ type: 'text', text: JSON.stringify(structuredContent) }] };
}

/** A refusal is a result of the tool, not an error of the protocol, so that the agent reads it. It tells how long to wait, since agents see no headers. */
export function failure({ headers }: Pick<GatewayAnswer, 'headers'>, error: JsonObject): CallToolResult {
  const seconds = headers.get('Retry-After');
  return { ...success(seconds === null ? error : { ...error, retryAfterSeconds: Number(seconds) }), isError: true };
}
