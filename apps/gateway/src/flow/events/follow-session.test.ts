import { beforeEach, expect, test } from 'bun:test';
import { createTimerWheel, type TimerWheel } from '@flowgate/async/timer-wheel';
import { ok, refused } from '@flowgate/base/result';
import { Unavailable } from '@flowgate/base/unavailable';
import { createManualClock, type ManualClock } from '@flowgate/testing/manual-clock';
import { callerNamed } from '../../../test/fixtures/no-policies.ts';
import type { StreamWriter } from '../../api/route.ts';
import { flowEvent } from './event-store.contract.ts';
import { eventText, heartbeat, streamStart } from './event-stream.ts';
import { followSession, heartbeatMs, isAllSent } from './follow-session.ts';
import type { FollowedSession } from './followed-session.ts';
import type { TakeEvents } from './session-watch.ts';

let session: Pick<FollowedSession, 'status' | 'lastSequence'> | undefined;
let isUnavailable: boolean;
let clock: ManualClock;
let timerWheel: TimerWheel;
let due: (() => void) | undefined;
let take: TakeEvents | undefined;
let resumed: number;

beforeEach(() => {
  session = { status: 'active', lastSequence: 1 };
  isUnavailable = false;
  clock = createManualClock();
  due = undefined;
  timerWheel = createTimerWheel(clock, 50, (_ms, run) => {
    due = run;
    return () => {
      due = undefined;
    };
  });
  resumed = 0;
});

const beat = async () => {
  clock.advance(heartbeatMs + 100);
  due?.();
  await settled();
};
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

function follow(after = 0, hasRoom: () => boolean = () => true) {
  const sent: string[] = [];
  let ended = 0;
  let isFollowed = true;
  const parts = {
    timerWheel,
    async findSession() {
      if (isUnavailable) throw new Unavailable('database', 'unavailable');
      return session === undefined ? refused('not-found') : ok({ sessionId: 'ses_1', ...session });
    },
    watch: {
      follow(_sessionId: string, _after: number, given: TakeEvents) {
        take = given;
        return {
          resume: () => {
            resumed += 1;
          },
          stop: () => {
            isFollowed = false;
          },
        };
      },
    },
  };
  const of = { sessionId: 'ses_1', status: session?.status ?? 'active' } as const;
  let writer: StreamWriter | undefined;
  writer = followSession(
    parts,
    callerNamed('alice'),
    of,
    after,
  )({
    write(text) {
      sent.push(text);
      return hasRoom();
    },
    end() {
      ended += 1;
      writer?.onEnd();
    },
  });
  return { sent, ended: () => ended, isFollowed: () => isFollowed, writer };
}

test('a stream begins with a comment and its retry time, followed by events and a comment every fifteen seconds', async () => {
  const one = follow();
  take?.([flowEvent(1), flowEvent(2)]);
  await beat();
  await beat();
  expect(one.sent).toEqual([streamStart, eventText(flowEvent(1)) + eventText(flowEvent(2)), heartbeat, heartbeat]);
  expect(one.ended()).toBe(0);
});

test('a stream ends when the session is over and its last event was sent, not before', async () => {
  const one = follow();
  session = { status: 'completed', lastSequence: 3 };
  take?.([flowEvent(1), flowEvent(2, { type: 'session_completed' })]);
  await settled();
  expect(one.ended()).toBe(0);
  take?.([flowEvent(3)]);
  await settled();
  expect(one.ended()).toBe(1);
  expect(one.isFollowed()).toBe(false);
});

test('a stream of an ended session ends when all its events were sent', async () => {
  session = { status: 'cancelled', lastSequence: 1 };
  const one = follow();
  take?.([flowEvent(1)]);
  await settled();
  expect(one.ended()).toBe(1);
});

test('if the storage is unavailable when the session ends, the stream ends at a later heartbeat', async () => {
  const one = follow();
  isUnavailable = true;
  session = { status: 'failed', lastSequence: 1 };
  take?.([flowEvent(1, { type: 'session_failed' })]);
  await beat();
  expect(one.ended()).toBe(0);
  isUnavailable = false;
  await beat();
  expect(one.ended()).toBe(1);
});

test('a slow reader gets neither events nor heartbeats until it has caught up', async () => {
  let room = true;
  const one = follow(0, () => room);
  room = false;
  expect(take?.([flowEvent(1)])).toBe(false);
  await beat();
  expect(one.sent).toHaveLength(2);
  room = true;
  one.writer?.onRoom();
  expect(resumed).toBe(1);
  await beat();
  expect(one.sent.at(-1)).toBe(heartbeat);
});

test('no heartbeat is sent after the end', async () => {
  const one = follow();
  one.writer?.onEnd();
  await beat();
  expect(one.sent).toEqual([streamStart]);
  expect(one.isFollowed()).toBe(false);
});

test('all events were sent if the session is over and the client is at its last event', () => {
  expect(isAllSent({ status: 'active', lastSequence: 3 }, 3)).toBe(false);
  expect(isAllSent({ status: 'expired', lastSequence: 3 }, 2)).toBe(false);
  expect(isAllSent({ status: 'expired', lastSequence: 3 }, 3)).toBe(true);
});
