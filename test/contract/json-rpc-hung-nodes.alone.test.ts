/** Nodes that hang: other nodes answer in time (contract/json-rpc). */

import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { systemClock } from '@flowgate/base/clock';
import { until } from '@flowgate/testing/until';
import {
  logged,
  network,
  pathOf,
  read,
  transaction,
  withGateway,
} from '../../apps/gateway/test/fixtures/failing-nodes.ts';
import { startFakeNode } from '../../apps/gateway/test/fixtures/fake-node.ts';
import { startRawNode } from '../../apps/gateway/test/fixtures/raw-node.ts';

describe('a node that hangs', () => {
  /** A process that can be stopped by the kernel: it then accepts connections and answers nothing. */
  async function startNodeProcess() {
    const port = Promise.withResolvers<number>();
    const child = Bun.spawn([process.execPath, join(import.meta.dir, '../../devkit/src/load/fixed-upstream.ts')], {
      stdio: ['ignore', 'ignore', 'inherit'],
      ipc: (message: { port: number }) => port.resolve(message.port),
    });
    return { child, url: `http://127.0.0.1:${await port.promise}` };
  }

  test('one of three nodes: others answer reads in time, unsent calls go to another node, and other callers do not wait', async () => {
    const nodes = await Promise.all([startNodeProcess(), startNodeProcess(), startNodeProcess()]);
    const [hung] = nodes;
    if (hung === undefined) throw new Error('no node');
    const connections = 8;
    const outbound = { nodeTimeoutSeconds: 4.5, maxConnectionsPerNode: connections };
    try {
      await withGateway(
        { outbound, networks: [network('three', ...nodes.map(({ url }) => url))] },
        async (gateway, key) => {
          const post = (body: string) => gateway.rpc(key, body, pathOf('three'));
          // Each read is different, because equal reads in flight are coalesced.
          let nth = 0;
          const reads = (count: number) =>
            Array.from({ length: count }, () => read.replace('eth_blockNumber"', `web3_sha3","params":["0x${++nth}"]`));
          const warm = await Promise.all(reads(20).map(post));
          expect(warm.every(({ status }) => status === 200)).toBe(true);
          hung.child.kill('SIGSTOP');

          const startedMs = systemClock.monotonic();
          const bodies = [...reads(100), ...new Array(20).fill(transaction)];
          const answers = await Promise.all(
            bodies.map(async (body) => ({ answer: await post(body), ms: systemClock.monotonic() - startedMs })),
          );
          expect(answers.map(({ answer }) => answer.status)).toEqual(bodies.map(() => 200));
          // One attempt has 1.5 of the 4.5 seconds: far less than six for each, or for one after the other. All
          // connections were busy with reads, so the transactions only waited and went to another node.
          expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(4_000);
          await until('its circuit is open', async () => {
            await Promise.all(reads(20).map(post));
            return logged(gateway, 'node.circuit-open', 'three-0') > 0;
          });
          expect(logged(gateway, 'node.circuit-open', 'three-0')).toBe(1);

          const againMs = systemClock.monotonic();
          const again = await Promise.all(reads(100).map(post));
          expect(again.every(({ status }) => status === 200)).toBe(true);
          expect(systemClock.monotonic() - againMs).toBeLessThan(2_000);

          hung.child.kill('SIGCONT');
          await until('the node is back', async () => {
            await Promise.all(reads(1).map(post));
            return logged(gateway, 'node.recovered', 'three-0') > 0;
          });
        },
      );
    } finally {
      for (const { child } of nodes) child.kill('SIGKILL');
      await Promise.all(nodes.map(({ child }) => child.exited));
    }
  });

  test('since the start delays neither startup nor a call: the gateway sends nothing on a new connection before it has answered', async () => {
    const silent = await startRawNode();
    const good = startFakeNode();
    silent.behaveWhenProbed(() => {});
    try {
      await withGateway(
        { outbound: { nodeTimeoutSeconds: 0.9 }, networks: [network('start', silent.url, good.url)] },
        async (gateway, key) => {
          for (const body of [transaction, read, transaction])
            expect((await gateway.rpc(key, body, pathOf('start'))).status).toBe(200);
          expect([silent.received, good.received.length]).toEqual([[], 3]);
        },
      );
    } finally {
      await Promise.all([silent.stop(), good.stop()]);
    }
  });
});
