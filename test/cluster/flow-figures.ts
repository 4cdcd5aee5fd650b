/** The figures of a cluster run with Flow sessions. They are printed and never asserted. */

import { doubled, lostDeliveries } from './check-flow-deliveries.ts';
import type { FlowHistory, Submission } from './flow-history.ts';

export function flowFigures(history: FlowHistory): string[] {
  const { submissions, runs, deliveries, audits } = history;
  const acknowledged = new Set(submissions.filter(({ status }) => status === 200).map(nameOf));
  const effects = new Set(runs.map(({ derivedKey }) => derivedKey));
  return [
    `submissions: ${submissions.length}, acknowledged steps: ${acknowledged.size}, runs: ${runs.length}, effects: ${effects.size}`,
    `sessions: ${audits.length}, events: ${audits.reduce((sum, { events }) => sum + events.length, 0)}`,
    `deliveries: ${deliveries.length}, accepted ${deliveries.filter(({ accepted }) => accepted).length}, lost ${lostDeliveries(history)}, doubled ${doubled(history)}`,
    `503 while nothing was unavailable: ${submissions.filter((each) => each.status === 503 && calm(history, each)).length}`,
    ...[...Map.groupBy(submissions, ({ phase }) => phase)].map(([phase, some]) => {
      const counts = [...Map.groupBy(some, answerOf)].toSorted(([a], [b]) => a.localeCompare(b));
      const slowestMs = Math.max(...some.map(({ startMs, endMs }) => endMs - startMs));
      const reported = counts.map(([answer, group]) => `${answer}: ${group.length}`).join(', ');
      return `${phase}: ${reported}; slowest ${Math.round(slowestMs)} ms`;
    }),
  ];
}

function calm({ marks }: FlowHistory, { startMs, endMs }: Submission): boolean {
  return !marks.some(({ fromMs, toMs }) => fromMs <= endMs && toMs >= startMs);
}

function nameOf({ sessionId, idempotencyKey }: Submission): string {
  return `${sessionId} ${idempotencyKey}`;
}

function answerOf({ status, outcome, isReplay }: Submission): string {
  return status === undefined ? outcome : `${status}${isReplay === true ? ' replayed' : ''}`;
}
