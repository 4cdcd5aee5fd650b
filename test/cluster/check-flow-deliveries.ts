/**
 * Webhooks: no delivery is lost, an endpoint receives one delivery at a time over all gateways, a repetition has the
 * same bytes, and first attempts follow the order of a session's events (contract/flow-apps).
 */

import { at } from './check-limits.ts';
import type { FlowViolation } from './flow-checker.ts';
import type { Delivery, FlowHistory } from './flow-history.ts';

export function checkDeliveries(history: FlowHistory): FlowViolation[] {
  const known = new Map(history.audits.flatMap(({ events }) => events.map((event) => [event.id, event] as const)));
  const texts = [...Map.groupBy(history.deliveries, ({ endpoint }) => endpoint)].flatMap(([endpoint, some]) =>
    [
      ...concurrent(some),
      ...repetitions(some),
      ...disorder(some, (id) => known.get(id)?.sequence),
      ...some
        .filter(({ body }) => !known.has(body.id))
        .map(({ body }) => `${body.id} reports an event that did not happen`),
    ].map((text) => `${endpoint}: ${text}`),
  );
  return [...texts, ...lost(history)].map((text) => ({ rule: 'delivery', text }));
}

function concurrent(deliveries: readonly Delivery[]): string[] {
  const ordered = deliveries.toSorted((a, b) => a.startMs - b.startMs);
  return ordered.flatMap((each, index) => {
    const open = ordered.slice(0, index).filter(({ endMs }) => endMs > each.startMs);
    return open.length === 0 ? [] : [`${each.body.id} came while ${open.length} others were in progress`];
  });
}

function repetitions(deliveries: readonly Delivery[]): string[] {
  return [...Map.groupBy(deliveries, ({ body }) => body.id)].flatMap(([id, some]) => {
    const seen = new Set(some.map(({ webhookId, text }) => `${webhookId} ${text}`));
    const named = some.every(({ webhookId }) => webhookId === id);
    return [
      ...(seen.size > 1 ? [`${id} came in ${seen.size} different forms`] : []),
      ...(named ? [] : [`${id} came under another webhook-id`]),
    ];
  });
}

/** Ordered by each event's first attempt, because other events may pass one that waits for its retry. */
function disorder(deliveries: readonly Delivery[], sequenceOf: (id: string) => number | undefined): string[] {
  const last = new Map<string, number>();
  const seen = new Set<string>();
  return deliveries
    .toSorted((a, b) => a.startMs - b.startMs)
    .flatMap(({ body, startMs }) => {
      const sequence = sequenceOf(body.id);
      const sessionId = String(body.data.sessionId);
      if (sequence === undefined || seen.has(body.id)) return [];
      seen.add(body.id);
      const before = last.get(sessionId) ?? 0;
      last.set(sessionId, Math.max(before, sequence));
      return sequence > before ? [] : [`event ${sequence} of ${sessionId} came after ${before}, ${at(startMs)}`];
    });
}

function lost({ audits, subscriptions, deliveries }: FlowHistory): string[] {
  const accepted = new Set(
    deliveries.filter((each) => each.accepted).map(({ endpoint, body }) => `${endpoint} ${body.id}`),
  );
  return subscriptions.flatMap(({ endpoint, userId, eventType }) =>
    audits
      .filter((audit) => audit.userId === userId)
      .flatMap(({ events }) => events)
      .filter(({ type, id }) => type === eventType && !accepted.has(`${endpoint} ${id}`))
      .map(
        ({ id, type, sequence, data }) => `${endpoint}: ${type} ${id}, ${sequence} of ${data.sessionId}, never came`,
      ),
  );
}

/** Deliveries that were accepted more than once; for the figures. */
export function doubled({ deliveries }: FlowHistory): number {
  const accepted = deliveries.filter((each) => each.accepted);
  return accepted.length - new Set(accepted.map(({ endpoint, body }) => `${endpoint} ${body.id}`)).size;
}

export function lostDeliveries(history: FlowHistory): number {
  return lost(history).length;
}
