/**
 * Follows a session's events as a browser does: reconnects with Last-Event-ID when a stream ends, uses the next gateway
 * when its own does not answer, and records all events.
 */

import { type EventStreamReader, openEventStream } from '../../apps/gateway/test/fixtures/event-stream.ts';
import type { FlowRecorder } from './flow-history.ts';
import type { Target } from './recorded-client.ts';
import { until } from './until.ts';

export type Follower = {
  /** Resolves with the time at which the event of this sequence arrived. */
  readonly received: (sequence: number) => Promise<number>;
  readonly connections: () => readonly string[];
  readonly stop: () => Promise<void>;
};

export function followAs(
  name: string,
  recorder: FlowRecorder,
  { sessionId, headers, targets }: { sessionId: string; headers: Record<string, string>; targets: readonly Target[] },
): Follower {
  const cameMs = new Map<number, number>();
  const connections: string[] = [];
  let lastId: string | undefined;
  let reader: EventStreamReader | undefined;
  let running = true;

  async function read(target: Target): Promise<void> {
    const place = lastId === undefined ? {} : { 'Last-Event-ID': lastId };
    reader = await openEventStream(`${target.url}/flow/sessions/${sessionId}/events`, { ...headers, ...place });
    if (!reader.response.ok) return;
    connections.push(target.name);
    for (let at = 0; running; at++) {
      await reader.received(at + 1);
      const seen = reader.events[at];
      if (seen === undefined) return;
      const { id, event } = seen;
      const atMs = recorder.now();
      recorder.add('streamed', { follower: name, sessionId, via: target.name, id, event, atMs });
      cameMs.set(Number(id), atMs);
      lastId = id;
    }
  }

  async function follow(): Promise<void> {
    for (let turn = 0; running; turn++) {
      const target = targets[turn % targets.length];
      // The stream ended, broke or never began: use the next gateway.
      if (target !== undefined) await read(target).catch(() => {});
      // Real time: the pause between reconnections.
      if (running) await Bun.sleep(20);
    }
  }

  const following = follow();
  return {
    async received(sequence) {
      await until(`${name} has event ${sequence}`, () => cameMs.has(sequence), 30_000, 2);
      return cameMs.get(sequence) ?? 0;
    },
    connections: () => connections,
    async stop() {
      running = false;
      await reader?.close();
      await following;
    },
  };
}
