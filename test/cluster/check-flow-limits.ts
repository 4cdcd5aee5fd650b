/**
 * No user had more than its limit of admitted requests to one session in any 60 s, over all gateways together
 * (contract/limits; contract/limits#what-counts).
 */

import { at, fullest } from './check-limits.ts';
import type { FlowViolation } from './flow-checker.ts';
import type { FlowHistory } from './flow-history.ts';
import { marked } from './history.ts';

export function checkFlowLimits(history: FlowHistory): FlowViolation[] {
  const { sessionPerMinute, submissions } = history;
  const admitted = submissions.filter(
    ({ outcome, status, startMs, endMs }) =>
      outcome === 'answered' && status !== 429 && !marked(history, ['counters-unavailable'], startMs, endMs),
  );
  return [...Map.groupBy(admitted, ({ userId, sessionId }) => `${userId} in ${sessionId}`)].flatMap(([who, some]) =>
    fullest(
      some.map((each) => ({ ...each, cost: 1 })),
      sessionPerMinute,
    ).map(({ count, fromMs }) => ({
      rule: 'limit',
      text: `${who}: ${count} admitted within 60 s from ${at(fromMs)}, limit ${sessionPerMinute}`,
    })),
  );
}
