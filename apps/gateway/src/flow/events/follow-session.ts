/** Streams a session's events from the client's position to the session's end, with heartbeats in between. */

import type { Deadline, TimerWheel } from '@flowgate/async/timer-wheel';
import type { Caller } from '../../api/caller.ts';
import type { StreamBody } from '../../api/route.ts';
import { eventText, heartbeat, streamStart } from './event-stream.ts';
import type { FindFollowedSession, FollowedSession } from './followed-session.ts';
import type { SessionWatch } from './session-watch.ts';

export type FollowSessionDeps = {
  readonly findSession: FindFollowedSession;
  readonly watch: Pick<SessionWatch, 'follow'>;
  readonly timerWheel: TimerWheel;
};

/** Shorter than the idle time-outs of common proxies. */
export const heartbeatMs = 15_000;

const lastTypes = new Set(['session_completed', 'session_cancelled', 'session_expired', 'session_failed']);

/** The stream ends when the session is over and everything was sent. */
export function followSession(
  { findSession, watch, timerWheel }: FollowSessionDeps,
  caller: Caller,
  { sessionId, status }: Pick<FollowedSession, 'sessionId' | 'status'>,
  after: number,
): StreamBody {
  return (sink) => {
    let place = after;
    let hasRoom = true;
    // Once the session may be over, each batch and heartbeat checks whether all events were sent.
    let mayBeOver = status !== 'active';
    let beat: Deadline | undefined;

    const endWhenOver = async () => {
      try {
        const found = await findSession(caller, sessionId);
        if (!found.ok || isAllSent(found.value, place)) sink.end();
      } catch {
        // The storage is unavailable: checked again at the next heartbeat.
      }
    };
    const live = () => {
      beat = timerWheel.arm(heartbeatMs, live);
      if (hasRoom) sink.write(heartbeat);
      if (mayBeOver) void endWhenOver();
    };

    sink.write(streamStart);
    const following = watch.follow(sessionId, after, (events) => {
      hasRoom = sink.write(events.map(eventText).join(''));
      place = events.at(-1)?.sequence ?? place;
      if (events.some(({ type }) => lastTypes.has(type))) mayBeOver = true;
      if (mayBeOver) void endWhenOver();
      return hasRoom;
    });
    beat = timerWheel.arm(heartbeatMs, live);
    return {
      onRoom() {
        hasRoom = true;
        following.resume();
      },
      onEnd() {
        following.stop();
        if (beat !== undefined) timerWheel.disarm(beat);
      },
    };
  };
}

/** The session has ended, and the client has all its events. */
export function isAllSent(session: Pick<FollowedSession, 'status' | 'lastSequence'>, place: number): boolean {
  return session.status !== 'active' && place >= session.lastSequence;
}
