import { expect, test } from 'bun:test';
import type { StepResponse } from '@flowgate/flow-format/app-responses/checked-response';
import { sessionRecord } from './session-store.contract.ts';
import { changeByResponse, transitionOf } from './session-transition.ts';

const step = { stepId: 'two', title: 'Two', fields: [], actions: [] };
const before = sessionRecord({ stateVersion: 4, lastSequence: 7, updatedAtMs: 1_000, expiresAtMs: 2_000 });
const parts = () => {
  let events = 0;
  return { nowMs: 5_000, sessionTtlMs: 60_000, newEventId: () => `evt_${++events}` };
};
const response: StepResponse = {
  step,
  state: { at: 2 },
  appData: { set: { total: 1 }, delete: ['old'] },
  events: [{ type: 'paid', data: { sum: '5', sessionId: 'ses_forged', stateVersion: 99 } }],
  status: 'active',
};
const submitted = { type: 'step_submitted', data: { stepId: 'one', actionId: 'go' } } as const;

test('a transition increases stateVersion by one, extends the expiry and continues the numbers of events (contract/sessions#life-cycle)', () => {
  const { session, appData, events } = transitionOf(before, changeByResponse(response, submitted), parts());
  expect(session).toEqual({
    ...before,
    step,
    state: { at: 2 },
    stateVersion: 5,
    lastSequence: 9,
    updatedAtMs: 5_000,
    expiresAtMs: 65_000,
  });
  expect(appData).toEqual({ set: { total: 1 }, delete: ['old'] });
  const common = { sessionId: before.sessionId, appId: before.appId, version: before.version, stateVersion: 5 };
  expect(events).toEqual([
    {
      eventId: 'evt_1',
      sessionId: before.sessionId,
      sequence: 8,
      type: 'step_submitted',
      atMs: 5_000,
      data: { stepId: 'one', actionId: 'go', ...common },
    },
    // The app claims another session's id, and the platform's member overrides it.
    {
      eventId: 'evt_2',
      sessionId: before.sessionId,
      sequence: 9,
      type: 'paid',
      atMs: 5_000,
      data: { sum: '5', ...common },
    },
  ]);
});

test('the end of a session is its last event, no longer extends its expiry, and removes the data that only the app needed', () => {
  for (const status of ['completed', 'failed'] as const) {
    const { session, events } = transitionOf(before, changeByResponse({ ...response, status }, submitted), parts());
    expect(session).toMatchObject({ status, step, expiresAtMs: 2_000, lastSequence: 10, state: {} });
    expect(session).not.toHaveProperty('launchContext');
    expect(events.map(({ sequence, type }) => `${sequence} ${type}`)).toEqual([
      '8 step_submitted',
      '9 paid',
      `10 session_${status}`,
    ]);
  }
});

test('a response without state leaves the state unchanged, and updatedAt never decreases', () => {
  const { state: _, ...stateless } = response;
  const { session } = transitionOf(before, changeByResponse(stateless, submitted), { ...parts(), nowMs: 10 });
  expect(session).toMatchObject({ state: before.state, updatedAtMs: 1_000 });
});
