/**
 * A step runs once: each Idempotency-Key has one transition, one effect and one response, no acknowledged step is lost,
 * and a session's events have no gap (contract/sessions#idempotency; contract/flow-apps).
 */

import { at } from './check-limits.ts';
import type { FlowViolation } from './flow-checker.ts';
import type { Audit, FlowHistory, Run, Submission } from './flow-history.ts';
import { marked } from './history.ts';

const endings = ['session_completed', 'session_cancelled', 'session_expired', 'session_failed'];
/** Ends of a session without a submission. */
const ofTheirOwn = ['session_cancelled', 'session_expired'];

export function checkSteps(history: FlowHistory): FlowViolation[] {
  const submitted = Map.groupBy(history.submissions, nameOf);
  const runs = Map.groupBy(history.runs, ({ sessionId, mark }) => `${sessionId} ${mark}`);
  return [
    ...[...submitted].flatMap(([name, attempts]) => responseProblems(name, attempts)),
    ...[...runs].flatMap(([name, some]) => runProblems(history, name, some, submitted.get(name) ?? [])),
    ...history.audits.flatMap((audit) => auditProblems(audit, submitted, runs)),
  ];
}

function nameOf({ sessionId, idempotencyKey }: Submission): string {
  return `${sessionId} ${idempotencyKey}`;
}

/** Statuses that are allowed even when a response is stored: the database was not asked, or did not answer in time. */
const beforeTheResponse = [429, 503];

function responseProblems(name: string, attempts: readonly Submission[]): FlowViolation[] {
  const answered = attempts.filter(({ status }) => status === 200).toSorted((a, b) => a.endMs - b.endMs);
  const [first] = answered;
  if (first === undefined) return [];
  const fresh = answered.filter(({ isReplay }) => isReplay !== true).length;
  const texts = new Set(answered.map(({ text }) => text)).size;
  const denied = attempts.filter(
    ({ startMs, outcome, status = 0 }) =>
      startMs > first.endMs && outcome === 'answered' && status !== 200 && !beforeTheResponse.includes(status),
  );
  return [
    ...(fresh > 1 ? [{ rule: 'response' as const, text: `${name}: ${fresh} answers that are no replay` }] : []),
    ...(texts > 1 ? [{ rule: 'response' as const, text: `${name}: ${texts} different responses` }] : []),
    ...denied.map(({ status, via, startMs }) => ({
      rule: 'lost' as const,
      text: `${name}: acknowledged, and ${status} at ${via} ${at(startMs - first.endMs)} later`,
    })),
  ];
}

/**
 * A submission runs once, unless a fault occurred between two runs or the database did not confirm the commit in time.
 * All runs have the same derived key, by which the app recognizes them.
 */
function runProblems(
  history: FlowHistory,
  name: string,
  runs: readonly Run[],
  attempts: readonly Submission[],
): FlowViolation[] {
  const derived = new Set(runs.map(({ derivedKey }) => derivedKey)).size;
  const times = runs.map(({ atMs }) => atMs);
  const troubles = ['gateway-down', 'gateway-paused', 'database-unavailable'] as const;
  const excused =
    marked(history, troubles, Math.min(...times), Math.max(...times)) || attempts.some(({ status }) => status === 503);
  return [
    ...(derived > 1 ? [{ rule: 'effect' as const, text: `${name}: ${derived} effects, by as many derived keys` }] : []),
    ...(runs.length > 1 && !excused
      ? [{ rule: 'effect' as const, text: `${name}: run ${runs.length} times without need` }]
      : []),
  ];
}

function auditProblems(
  { session, events }: Audit,
  submitted: ReadonlyMap<string, readonly Submission[]>,
  runs: ReadonlyMap<string, readonly Run[]>,
): FlowViolation[] {
  const { sessionId, stateVersion } = session;
  const applied = events.filter(({ type }) => type === 'applied').map(({ data }) => String(data['mark']));
  const transitions = events.filter(({ type }) => type === 'step_submitted');
  const ends = events.filter(({ type }) => endings.includes(type));
  const expected = 1 + transitions.length + ends.filter(({ type }) => ofTheirOwn.includes(type)).length;
  const gap = events.findIndex(({ sequence }, index) => sequence !== index + 1);
  const acknowledged = [...submitted.values()]
    .flat()
    .filter((each) => each.sessionId === sessionId && each.status === 200);
  const wrong = (rule: FlowViolation['rule'], text: string) => [{ rule, text: `${sessionId}: ${text}` }];
  return [
    ...(gap >= 0 ? wrong('events', `event ${events[gap]?.sequence} where ${gap + 1} belongs`) : []),
    ...(ends.length > 1 ? wrong('events', `ended ${ends.length} times: ${ends.map(({ type }) => type)}`) : []),
    ...(stateVersion !== expected
      ? wrong('events', `stateVersion ${stateVersion}, but its events show ${expected}`)
      : []),
    ...[...Map.groupBy(applied, (mark) => mark)].flatMap(([mark, some]) => [
      ...(some.length > 1 ? wrong('effect', `${mark} was committed ${some.length} times`) : []),
      ...(runs.has(`${sessionId} ${mark}`) ? [] : wrong('effect', `${mark} was committed and never run`)),
    ]),
    ...[...new Set(acknowledged.map(({ idempotencyKey }) => idempotencyKey))]
      .filter((mark) => !applied.includes(mark))
      .flatMap((mark) => wrong('lost', `${mark} was acknowledged and is in no event`)),
  ];
}
