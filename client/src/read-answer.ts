/** Reads the gateway's HTTP answer: a body, or an error. */

import { type AnswerFacts, FlowgateError, type RateLimit } from './flowgate-error.ts';
import { hasMembers } from './shape.ts';
import type { JsonRpcError, ProblemDetails, StandardError } from './wire.ts';

/** A successful answer. `body` is `undefined` when it is empty or not JSON. */
export type Answer = { readonly facts: AnswerFacts; readonly body: unknown };

/** Throws `FlowgateError` for each status except 2xx. `text` is the whole body. */
export function readAnswer(facts: AnswerFacts, text: string): Answer {
  const body = parse(text);
  if (facts.status >= 200 && facts.status < 300) return { facts, body };
  if (isStandardError(body)) throw new FlowgateError(body.message, { kind: 'standard', body }, facts);
  if (isProblemDetails(body)) throw new FlowgateError(body.detail, { kind: 'problem', body }, facts);
  if (hasMembers(body, { jsonrpc: 's' }) && isJsonRpcError(body['error'])) {
    throw jsonRpcFailure(body['error'], facts);
  }
  throw unreadable(facts);
}

/** Converts the member `error` of a JSON-RPC answer into an error to throw. */
export function jsonRpcFailure(body: JsonRpcError, facts: AnswerFacts): FlowgateError {
  return new FlowgateError(body.message, { kind: 'json-rpc', body }, facts);
}

/** An error for an answer of an unknown form. It omits the text, which may contain a secret. */
export function unreadable(facts: AnswerFacts, why?: string): FlowgateError {
  const message = why ?? `The answer with status ${facts.status} is not in a form that Flowgate sends.`;
  return new FlowgateError(message, { kind: 'unreadable' }, facts);
}

export function isJsonRpcError(value: unknown): value is JsonRpcError {
  return hasMembers(value, { code: 'n', message: 's' });
}

function isStandardError(value: unknown): value is StandardError {
  return hasMembers(value, {
    timestamp: 'n',
    status: 'n',
    error: 's',
    message: 's',
    path: 's',
  });
}

function isProblemDetails(value: unknown): value is ProblemDetails {
  return hasMembers(value, {
    type: 's',
    title: 's',
    status: 'n',
    detail: 's',
    retryable: 'b',
    instance: 's',
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function factsOf({ status, headers }: Response): AnswerFacts {
  return {
    status,
    requestId: headers.get('X-Request-Id') ?? undefined,
    retryAfter: retryAfterOf(headers),
    rateLimit: rateLimitOf(headers),
    servedBy: headers.get('X-Flowgate-Served-By')?.split(', '),
    attempts: wholeNumber(headers, 'X-Flowgate-Attempts'),
    isOfUserNode: headers.get('X-Flowgate-Node-Owner') === 'user',
  };
}

/**
 * RFC 9110, 10.2.3: seconds, as the gateway writes them, or a date, as proxies may. A date is relative to the answer's own `Date`, because the local clock may
 * be wrong.
 */
function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get('Retry-After');
  if (text === null || !/[A-Z]/i.test(text)) return wholeNumber(headers, 'Retry-After');
  const seconds = (Date.parse(text) - Date.parse(headers.get('Date') ?? '')) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

function rateLimitOf(headers: Headers): RateLimit | undefined {
  const limit = wholeNumber(headers, 'X-RateLimit-Limit');
  const remaining = wholeNumber(headers, 'X-RateLimit-Remaining');
  const resetSeconds = wholeNumber(headers, 'X-RateLimit-Reset');
  if (limit === undefined || remaining === undefined || resetSeconds === undefined) return undefined;
  return { limit, remaining, resetSeconds };
}

function wholeNumber(headers: Headers, name: string): number | undefined {
  const text = headers.get(name);
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
