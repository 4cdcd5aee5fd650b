/** Server-Sent Events (WHATWG HTML 9.2): the text of an event, and the position at which a client continues. */

import { ok, type Result, refused } from '@flowgate/base/result';
import { flowEventView } from './event-wire.ts';
import type { FlowEventRecord } from './flow-event.ts';

/** How long clients wait before they reconnect. */
const retryMs = 2_000;

export const streamStart = `: events\nretry: ${retryMs}\n\n`;
export const heartbeat = ': heartbeat\n\n';

/** Event types and JSON contain no line ends, so no event can inject a line. */
export function eventText(event: FlowEventRecord): string {
  return `id: ${event.sequence}\nevent: ${event.type}\ndata: ${JSON.stringify(flowEventView(event))}\n\n`;
}

/** Parses `?after=` and `Last-Event-ID`: the sequence of the last event that the client has; 0 means none. */
export function parsePlace(text: string, name: string): Result<number, 'bad-request'> {
  return /^\d{1,15}$/.test(text)
    ? ok(Number(text))
    : refused('bad-request', `${name} must be the sequence of an event, or 0`);
}

/**
 * Whether `Accept` (RFC 9110 12.5.1) prefers `text/event-stream` to JSON: it must be named, and JSON must not have a higher weight. With equal weights the first one wins. A
 * client that accepts anything gets JSON.
 */
export function prefersStream(accept: string | null): boolean {
  const ranges = (accept ?? '').toLowerCase().split(',').map(rangeOf);
  const stream = ranges.findIndex(({ type }) => type === 'text/event-stream');
  const json = ranges.findIndex(({ type }) => type === 'application/json');
  const [streamWeight, jsonWeight] = [ranges[stream]?.weight ?? 0, ranges[json]?.weight ?? 0];
  if (streamWeight === 0) return false;
  return streamWeight === jsonWeight ? stream < json : streamWeight > jsonWeight;
}

function rangeOf(text: string): { readonly type: string; readonly weight: number } {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim());
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
  return { type, weight: /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 0 };
}
