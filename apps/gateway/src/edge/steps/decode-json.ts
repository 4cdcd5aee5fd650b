/** Decodes a body as strict JSON, with a bounded number of values. */

import { maxRequestValues, notJson, parseJsonBytes } from '@flowgate/json/json-text';
import type { AgentContext } from '../contexts/agent-context.ts';
import type { Refusal } from '../contexts/request-context.ts';
import type { RouteContext } from '../contexts/route-context.ts';

/** Parsing millions of values would take half a second, and no valid body has that many. */
const bounds = { shows: isShownName, maxValues: maxRequestValues };

export function decodeJson(_services: unknown, context: RouteContext): Refusal | undefined {
  const { body, route } = context;
  if (body === undefined) return undefined;
  if (!body.ok) return body;
  // A route that describes no body needs none.
  const isNeeded = route.doc.body !== undefined && route.doc.bodyIsOptional !== true;
  if (body.value.length === 0 && !isNeeded) return undefined;
  const parsed = parseJsonBytes(body.value, bounds);
  if (typeof parsed === 'string')
    return {
      reason: 'bad-request',
      detail: parsed === notJson ? 'The body is not valid JSON.' : `The body ${parsed}.`,
    };
  context.json = parsed.value;
  return undefined;
}

/** A body that is not JSON continues without a message, because the protocol defines its answer. */
export function decodeMessage(_services: unknown, context: AgentContext): Refusal | undefined {
  const { body } = context;
  if (body === undefined) return undefined;
  if (!body.ok) return body;
  const parsed = parseJsonBytes(body.value, bounds);
  if (typeof parsed !== 'string') context.message = parsed.value;
  else if (parsed !== notJson) return { reason: 'bad-request', detail: `The body ${parsed}.` };
  return undefined;
}

/** Names of the caller's own members, in a sentence to that caller. */
function isShownName(name: string): boolean {
  return /^[\w$.-]{1,64}$/.test(name);
}
