import { describe, expect, test } from 'bun:test';
import type { VersionRecord } from '../registry/version.ts';
import { decideSubmission, type Submission, type SubmissionDecision } from './decide-submission.ts';
import { sessionRecord } from './session-store.contract.ts';
import type { SessionSnapshot } from './session-store.ts';

const version: Pick<VersionRecord, 'status' | 'manifest'> = {
  status: 'active',
  manifest: {
    baseUrl: 'https://app.example',
    startSteps: ['one'],
    stepIds: ['one', 'two'],
    queries: [],
    eventTypes: [],
  },
};
const retired = { ...version, status: 'retired' } as const;
const session = sessionRecord({
  stateVersion: 3,
  step: {
    stepId: 'one',
    title: 'One',
    fields: [{ fieldId: 'name', type: 'text', label: 'Name', required: true }],
    actions: [
      { actionId: 'go', label: 'Go' },
      { actionId: 'back', label: 'Back', validate: false },
    ],
  },
});
const open: SessionSnapshot = { session, isLeased: false };
const response = { body: '{"stored":true}', headers: { 'X-Payment-Response': 'abc' } };
const over = { ...open, session: { ...session, status: 'cancelled' as const } };
const good: Submission = { stepId: 'one', actionId: 'go', fieldValues: { name: 'Ada' }, stateVersion: 3 };
/** Invalid in every check that follows the search for the session. */
const bad: Submission = { stepId: 'three', actionId: 'nope', fieldValues: { other: 1 }, stateVersion: 9 };

/** `404`, `409!` if retryable, `replay` or `run`. */
function outcome(decision: SubmissionDecision): string {
  if (decision.kind !== 'refusal') return decision.kind;
  const { reason, retryable = false } = decision.refusal;
  return `${reason}${retryable ? ', retryable' : ''}`;
}

describe('the order of contract/sessions#submission: each case also fails all later checks', () => {
  const table: readonly [
    string,
    SessionSnapshot | undefined,
    typeof version | typeof retired | undefined,
    Submission,
    string,
  ][] = [
    ['no such session', undefined, undefined, bad, 'not-found'],
    [
      'a stored response, though a request is running and the session is over',
      { ...over, isLeased: true, response },
      retired,
      bad,
      'replay',
    ],
    [
      'a request is running, though the session is over',
      { ...over, isLeased: true },
      retired,
      bad,
      'conflict, retryable',
    ],
    ['over, though the version is retired', over, retired, bad, 'conflict'],
    ['a retired version, though the step is unknown', open, retired, bad, 'gone'],
    ['an absent version', open, undefined, bad, 'gone'],
    ['an undeclared step, though the stateVersion is stale', open, version, bad, 'not-found'],
    ['a declared step that is not current', open, version, { ...bad, stepId: 'two' }, 'conflict'],
    [
      'an older stateVersion, though the action is unknown',
      open,
      version,
      { ...bad, stepId: 'one', stateVersion: 2 },
      'conflict',
    ],
    ['a newer stateVersion', open, version, { ...good, stateVersion: 4 }, 'conflict'],
    ['an unknown action', open, version, { ...bad, stepId: 'one', stateVersion: 3 }, 'wrong'],
    ['an unknown field', open, version, { ...good, fieldValues: { name: 'Ada', other: 1 } }, 'wrong'],
    ['a missing field', open, version, { ...good, fieldValues: {} }, 'wrong'],
    ['nothing wrong', open, version, good, 'run'],
    ['an action without validation', open, version, { ...good, actionId: 'back', fieldValues: {} }, 'run'],
  ];
  for (const [name, snapshot, known, submission, expected] of table)
    test(`${name}: ${expected} (contract/sessions#submission)`, () => {
      expect(outcome(decideSubmission(snapshot, known, submission))).toBe(expected);
    });
});

test('a replay returns the stored response, regardless of the body sent under its key (contract/sessions#idempotency)', () => {
  expect(decideSubmission({ ...open, response }, version, bad)).toEqual({ kind: 'replay', response });
});

test('every final status refuses with its name', () => {
  for (const status of ['completed', 'cancelled', 'expired', 'failed'] as const) {
    const decision = decideSubmission({ ...open, session: { ...session, status } }, version, good);
    expect(decision).toMatchObject({ refusal: { reason: 'conflict', detail: `The session is ${status}.` } });
  }
});
