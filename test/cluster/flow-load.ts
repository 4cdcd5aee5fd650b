/**
 * Users who submit step after step until the test stops them: with concurrent copies at several gateways, with retries
 * until there is a response, and with replays.
 */

import type { FlowCluster } from './flow-cluster.ts';
import type { Step } from './flow-recorded-client.ts';

export type FlowLoad = {
  /** Ends after each user's current step. */
  readonly stop: () => Promise<void>;
  /** Repeats every acknowledged submission once, at a random gateway. */
  readonly replayAll: () => Promise<number>;
};

const stepsPerSession = 12;
const pauseMs = 60;

export function startFlowLoad({ client, gateways }: FlowCluster, users: readonly string[]): FlowLoad {
  let running = true;
  let turn = 0;
  const acknowledged: Step[] = [];
  const next = () => {
    turn += 1;
    return gateways[turn % 3] ?? gateways[0];
  };

  async function submit(step: Step): Promise<void> {
    // Every fourth submission goes to all gateways at once, as from a client that does not know whether its request
    // arrived.
    const copies = turn % 4 === 0 ? gateways.map((gateway) => [gateway, next()]) : [[next(), next()]];
    const entries = await Promise.all(copies.map((targets) => client.submitPatiently(targets, step)));
    const refused = entries.find(({ status }) => status !== 200);
    if (refused !== undefined) throw new Error(`${step.idempotencyKey} was answered ${refused.text}`);
    acknowledged.push(step);
  }

  async function walk(userId: string): Promise<void> {
    for (let serial = 0; running; ) {
      const { sessionId, stateVersion: first } = await client.start(gateways, userId);
      const last = first + stepsPerSession - 1;
      for (let stateVersion = first; stateVersion <= last && running; stateVersion++) {
        serial += 1;
        const actionId = stateVersion === last ? 'finish' : 'apply';
        await submit({ userId, sessionId, stateVersion, actionId, idempotencyKey: `${userId}-${serial}` });
        const earlier = acknowledged[acknowledged.length - 10];
        if (serial % 7 === 0 && earlier !== undefined) await client.submit(next(), earlier);
        // Real time: the pause between submissions.
        await Bun.sleep(pauseMs);
      }
    }
  }

  const walking = Promise.all(users.map(walk));
  // `stop` reports the error.
  walking.catch(() => {});
  return {
    async stop() {
      running = false;
      await walking;
    },
    async replayAll() {
      const left = [...acknowledged];
      const workers = Array.from({ length: 8 }, async () => {
        for (let step = left.pop(); step !== undefined; step = left.pop())
          await client.submitPatiently([next(), next()], step);
      });
      await Promise.all(workers);
      return acknowledged.length;
    },
  };
}
