/**
 * The checker of Flow histories finds every kind of planted violation, and does not report possibly correct behavior.
 */

import { describe, expect, test } from 'bun:test';
import type { FlowEvent, Session } from '@flowgate/client/flow-wire';
import { checkFlow } from './flow-checker.ts';
import { createFlowRecorder, type Delivery, type FlowRecorder, type Submission } from './flow-history.ts';

const sessionId = 's1';
const userId = 'u1';
let now = 0;

function event(sequence: number, type: string, data: object = {}): FlowEvent {
  return {
    id: `evt_${sequence}`,
    sequence,
    type,
    timestamp: 't',
    data: { sessionId, appId: 'a/b', version: '1', ...data },
  };
}

/** Two steps: each was submitted once, ran once and is in the events, which were delivered and streamed. */
const honestEvents = [
  event(1, 'session_created'),
  event(2, 'step_submitted'),
  event(3, 'applied', { mark: 'k1' }),
  event(4, 'step_submitted'),
  event(5, 'applied', { mark: 'k2' }),
];

function submission(startMs: number, idempotencyKey: string, more: Partial<Submission> = {}): Submission {
  const answer = { outcome: 'answered', status: 200, text: `answer to ${idempotencyKey}`, isReplay: false } as const;
  return {
    sessionId,
    userId,
    idempotencyKey,
    via: 'a',
    phase: 'test',
    startMs,
    endMs: startMs + 5,
    ...answer,
    ...more,
  };
}

const refusal = (status: number, type: string, retryable: boolean) => ({
  status,
  problem: { type: `urn:svc:error:${type}`, status, retryable },
});
const busy = refusal(409, 'conflict', true);

function delivery(startMs: number, of: FlowEvent, more: Partial<Delivery> = {}): Delivery {
  const { sequence: _, ...body } = of;
  const whole = { endpoint: '/e', webhookId: of.id, text: JSON.stringify(body), body };
  return { ...whole, startMs, endMs: startMs + 5, accepted: true, ...more };
}

type Planted = {
  readonly events?: readonly FlowEvent[];
  readonly stateVersion?: number;
  readonly deliveries?: readonly Delivery[];
  readonly streamed?: readonly number[];
};

function history(planted: Planted = {}): FlowRecorder {
  now = 0;
  const recorder = createFlowRecorder(60, { monotonic: () => now });
  const { events = honestEvents, stateVersion = 3 } = planted;
  const session = { sessionId, appId: 'a/b', version: '1', status: 'active', stateVersion } as Session;
  recorder.add('audits', { session, userId, events });
  for (const [at, key] of ['k1', 'k2'].entries()) {
    recorder.add('submissions', submission(100 * at, key));
    recorder.add('runs', { sessionId, mark: key, derivedKey: `derived ${key}`, atMs: 100 * at + 1 });
  }
  recorder.add('subscriptions', { endpoint: '/e', userId, eventType: 'applied' });
  const applied = honestEvents.filter(({ type }) => type === 'applied');
  for (const each of planted.deliveries ?? applied.map((of, at) => delivery(100 * at + 10, of)))
    recorder.add('deliveries', each);
  for (const sequence of planted.streamed ?? [1, 2, 3, 4, 5]) {
    const of = honestEvents[sequence - 1] ?? event(sequence, 'unknown');
    const whole = { follower: 'f', sessionId, via: 'a', id: String(sequence), event: of, atMs: 0 };
    recorder.add('streamed', whole);
  }
  return recorder;
}

const [, , first = event(3, 'applied'), , second = event(5, 'applied')] = honestEvents;

describe('the checker of Flow histories', () => {
  test('reports nothing for a correct history with copies, replays, refusals and repeated deliveries', () => {
    const recorder = history({
      deliveries: [
        delivery(10, first, { accepted: false }),
        delivery(110, second),
        delivery(5_000, first),
        delivery(20_000, first),
      ],
    });
    recorder.add('submissions', submission(1, 'k1', busy));
    recorder.add('submissions', submission(50, 'k1', { isReplay: true }));
    recorder.add(
      'submissions',
      submission(60, 'k1', { ...refusal(503, 'service-unavailable', true), retryAfter: '1' }),
    );
    recorder.add('submissions', submission(120, 'k3', refusal(409, 'conflict', false)));
    expect(checkFlow(recorder)).toEqual([]);
  });

  test('reports nothing that a killed gateway explains: a second run with the same derived key, and a missing response', () => {
    const recorder = history();
    now = 0;
    const end = recorder.mark('gateway-down', 'a');
    now = 3_000;
    end();
    recorder.add('runs', { sessionId, mark: 'k1', derivedKey: 'derived k1', atMs: 2_000 });
    recorder.add('submissions', submission(0, 'k1', { outcome: 'broken', status: 0 }));
    expect(checkFlow(recorder)).toEqual([]);
  });

  test('two effects of one step are found', () => {
    const recorder = history();
    recorder.add('runs', { sessionId, mark: 'k1', derivedKey: 'another', atMs: 2 });
    expect(checkFlow(recorder)).toEqual([
      'effect: s1 k1: 2 effects, by as many derived keys',
      'effect: s1 k1: run 2 times without need',
    ]);
    const twice = [...honestEvents, event(6, 'step_submitted'), event(7, 'applied', { mark: 'k1' })];
    const found = checkFlow(history({ events: twice, stateVersion: 4, streamed: [] })).join('\n');
    expect(found).toContain('effect: s1: k1 was committed 2 times');
  });

  test('an effect that was committed without a run is found', () => {
    const more = [...honestEvents, event(6, 'step_submitted'), event(7, 'applied', { mark: 'k9' })];
    const found = checkFlow(history({ events: more, stateVersion: 4, streamed: [] })).join('\n');
    expect(found).toContain('effect: s1: k9 was committed and never run');
  });

  test('two responses that are no replay, and a replay with other bytes are found', () => {
    const recorder = history();
    recorder.add('submissions', submission(200, 'k1'));
    recorder.add('submissions', submission(300, 'k2', { isReplay: true, text: 'something else' }));
    expect(checkFlow(recorder)).toEqual([
      'response: s1 k1: 2 answers that are no replay',
      'response: s1 k2: 2 different responses',
    ]);
  });

  test('an acknowledged submission that was lost is found: in no event, or denied afterwards', () => {
    const lost = history({ events: honestEvents.slice(0, 3), stateVersion: 2, streamed: [1, 2, 3] });
    expect(checkFlow(lost)).toContain('lost: s1: k2 was acknowledged and is in no event');
    const denied = history();
    denied.add('submissions', submission(200, 'k1', refusal(409, 'conflict', false)));
    expect(checkFlow(denied)).toEqual(['lost: s1 k1: acknowledged, and 409 at a 195 ms later']);
  });

  test('a gap in the events, a version without events, and two ends are found', () => {
    const gap = honestEvents.filter(({ sequence }) => sequence !== 2);
    expect(checkFlow(history({ events: gap })).join('\n')).toContain('events: s1: event 3 where 2 belongs');
    expect(checkFlow(history({ stateVersion: 5 }))).toEqual(['events: s1: stateVersion 5, but its events show 3']);
    const twice = [...honestEvents, event(6, 'session_expired'), event(7, 'session_expired')];
    expect(checkFlow(history({ events: twice, stateVersion: 5, streamed: [] })).join('\n')).toContain('ended 2 times');
  });

  test('a delivery that is missing, refused permanently, or concurrent with another is found', () => {
    expect(checkFlow(history({ deliveries: [delivery(10, first)] }))).toEqual([
      'delivery: /e: applied evt_5, 5 of s1, never came',
    ]);
    const refused = [delivery(10, first), delivery(110, second, { accepted: false })];
    expect(checkFlow(history({ deliveries: refused })).join('\n')).toContain('never came');
    const overlapping = [delivery(10, first, { endMs: 200 }), delivery(110, second)];
    expect(checkFlow(history({ deliveries: overlapping }))).toEqual([
      'delivery: /e: evt_5 came while 1 others were in progress',
    ]);
  });

  test('deliveries out of order, with another id, changed, or of an event that did not happen are found', () => {
    const disorder = [delivery(10, second), delivery(110, first)];
    expect(checkFlow(history({ deliveries: disorder })).join('\n')).toContain('event 3 of s1 came after 5');
    const honest = [delivery(10, first), delivery(110, second)];
    const renamed = [...honest, delivery(500, first, { webhookId: 'evt_other' })];
    expect(checkFlow(history({ deliveries: renamed })).join('\n')).toContain('came under another webhook-id');
    const changed = [...honest, delivery(500, first, { text: '{}' })];
    expect(checkFlow(history({ deliveries: changed })).join('\n')).toContain('came in 2 different forms');
    const invented = [...honest, delivery(500, event(9, 'applied'))];
    expect(checkFlow(history({ deliveries: invented })).join('\n')).toContain(
      'evt_9 reports an event that did not happen',
    );
  });

  test('an event that a stream omitted, repeated or invented is found', () => {
    expect(checkFlow(history({ streamed: [1, 2, 4, 5] })).join('\n')).toContain('stream: f: 1 events never came');
    expect(checkFlow(history({ streamed: [1, 2, 2, 3, 4, 5] })).join('\n')).toContain(
      'event 2 through a where 3 belongs',
    );
    expect(checkFlow(history({ streamed: [1, 2, 3, 4, 5, 6] })).join('\n')).toContain(
      'events that the session does not',
    );
  });

  test('undocumented refusals and unexplained missing responses are found', () => {
    const recorder = history();
    const add = (more: Partial<Submission>) => recorder.add('submissions', submission(500, 'k3', more));
    add({ status: 500, text: 'oops' });
    add(refusal(502, 'bad-gateway', true));
    add(refusal(503, 'service-unavailable', true));
    add({ outcome: 'hung', status: 0 });
    expect(checkFlow(recorder).map((text) => text.replace(/^.*phase test: /, ''))).toEqual([
      'status 500 with oops',
      'refused with answer to k3',
      'status 503 with Retry-After undefined',
      'no answer (hung)',
    ]);
  });

  test('more admitted requests to a session than its limit are found', () => {
    const recorder = history();
    for (let at = 0; at < 61; at++) recorder.add('submissions', submission(1_000 + at, `more-${at}`, busy));
    expect(checkFlow(recorder).join('\n')).toContain('limit: u1 in s1: 63 admitted within 60 s');
  });
});
