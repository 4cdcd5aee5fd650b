/**
 * Several processes on one port as one gateway: a reload that loses no call, common metrics and readiness
 * (docs/decisions/0069).
 */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type ReadFamily, readMetrics, sampleValue } from '@flowgate/testing/metrics-text';
import { postgresMissing } from '@flowgate/testing/postgres';
import { redisMissing } from '@flowgate/testing/redis';
import { until } from '@flowgate/testing/until';
import { openRaw } from '../../apps/gateway/test/fixtures/checked-raw-http.ts';
import { type RunningWorkers, startWorkers } from '../../apps/gateway/test/fixtures/running-workers.ts';

const body = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}';

describe.skipIf(postgresMissing !== undefined || redisMissing !== undefined)('workers', () => {
  let gateway: RunningWorkers;
  let key: string;
  let metricsPort: number;
  beforeAll(async () => {
    gateway = await startWorkers({ server: { metrics: { port: 0 } }, log: { requests: 'none' } });
    key = await gateway.mint();
    metricsPort = Number(named('metrics.listening')[0]?.['port']);
    await until('all serve', async () => (await ready()).status === 200);
  });
  afterAll(() => gateway.stop());

  /** Rejects after a timeout: a process that hangs accepts connections and answers nothing. */
  const ready = () => fetch(`${gateway.url}/readyz`, { keepalive: false, signal: AbortSignal.timeout(3_000) });
  const named = (event: string) => gateway.lines().filter((line) => line.event === event);
  const hangUp = () => void gateway.process.kill('SIGHUP');
  /** Sends SIGHUP. Resolves when there is one more line of this event. */
  const reload = async (event: string) => {
    const before = named(event).length;
    hangUp();
    await until(`there is ${event}`, () => named(event).length > before);
  };
  const read = async () =>
    readMetrics(await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text(), 'prometheus');
  const answered = (families: readonly ReadFamily[]) =>
    sampleValue(families, 'flowgate_requests_total', { surface: 'rpc', outcome: 'ok' }) ?? 0;
  const request = () =>
    `POST /rpc HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

  /** Calls until the test stops it: on new connections, and on persistent connections until a response closes them. */
  function load() {
    const failures: string[] = [];
    let [count, isOver] = [0, false];
    const note = (status: number | string) => {
      if (status === 200) count += 1;
      else failures.push(String(status));
    };
    const fresh = async () => {
      while (!isOver) note(await gateway.call(key).then(({ status }) => status, String));
    };
    const persistent = async () => {
      while (!isOver) {
        const connection = await openRaw(gateway.port);
        for (let isOpen = true; isOpen && !isOver; ) {
          connection.send(request());
          const answer = await connection.next();
          note(answer?.status ?? 'closed without an answer');
          isOpen = answer !== undefined && answer.headers.get('connection') !== 'close';
        }
        connection.close();
      }
    };
    const callers = [fresh(), fresh(), fresh(), persistent(), persistent(), persistent()];
    return {
      count: () => count,
      async stop() {
        isOver = true;
        await Promise.all(callers);
        return failures;
      },
    };
  }

  test('SIGHUP under load: all workers are replaced, the new configuration applies, and no call is lost', async () => {
    const limitNow = async () => (await gateway.call(key)).headers.get('x-ratelimit-limit');
    const [before, limitBefore] = [gateway.workers(), await limitNow()];
    const calls = load();
    await until('calls are in progress', () => calls.count() > 50);
    await gateway.reconfigure({ limits: { userPerMinute: 7_000_000 } });
    await reload('workers.reloaded');
    const goal = calls.count() + 100;
    await until('calls continue', () => calls.count() > goal);
    expect(await calls.stop()).toEqual([]);
    expect(gateway.workers()).toHaveLength(2);
    expect(gateway.workers().filter((pid) => before.includes(pid))).toEqual([]);
    expect([limitBefore, await limitNow()]).toEqual(['10000000', '7000000']);
    expect(named('worker.died')).toEqual([]);
  });

  test('a replaced worker finishes the calls that a node has not answered yet', async () => {
    const released = Promise.withResolvers<void>();
    gateway.node.received.length = 0;
    gateway.node.behave(async (asked) => {
      const { id, method } = JSON.parse(asked) as { id: unknown; method: string };
      if (method === 'eth_call') await released.promise;
      return Response.json({ jsonrpc: '2.0', id, result: '0x7a69' });
    });
    const slow = Array.from({ length: 6 }, (_, nth) => gateway.call(key, 'eth_call', [nth]));
    const arrived = () => gateway.node.received.filter((asked) => String(asked).includes('eth_call')).length;
    await until('they are with the node', () => arrived() >= 6);
    const before = named('gateway.draining').length;
    hangUp();
    await until('the first worker hands over', () => named('gateway.draining').length > before);
    released.resolve();
    expect((await Promise.all(slow)).map(({ status }) => status)).toEqual(slow.map(() => 200));
    await until('all are replaced', () => named('workers.reloaded').length > 1);
  });

  test('an unusable configuration changes nothing, and the log gives the reason', async () => {
    const before = gateway.workers();
    await gateway.reconfigure({ limits: { userPerMinute: 0 }, nonsense: true });
    await reload('workers.reload-refused');
    expect(named('workers.reload-refused').at(-1)?.['problems']).toContain('limits.userPerMinute');
    await gateway.reconfigure({ server: { host: '127.0.0.1', port: gateway.port, workers: 3 } });
    await reload('workers.reload-refused');
    expect(named('workers.reload-refused').at(-1)?.['problems']).toContain('server.workers cannot be changed');
    expect(gateway.workers()).toEqual(before);
    expect((await gateway.call(key)).status).toBe(200);
  });

  test('a configuration with which no worker can start changes nothing either', async () => {
    const before = gateway.workers();
    const tls = { certificate: '/nowhere/chain.pem', key: '/nowhere/key.pem' };
    const server = { host: '127.0.0.1', port: gateway.port, workers: 2, drainSeconds: 10, metrics: { port: 0 }, tls };
    await gateway.reconfigure({ server });
    await reload('workers.reload-failed');
    expect(gateway.workers()).toEqual(before);
    expect((await gateway.call(key)).status).toBe(200);
    await gateway.reconfigure({});
  });

  test('the metrics of all workers are added up, and do not decrease when a worker is killed or replaced', async () => {
    const before = answered(await read());
    await Promise.all(Array.from({ length: 40 }, () => gateway.call(key)));
    expect(answered(await read()) - before).toBe(40);
    const gauges = (families: readonly ReadFamily[], name: string) =>
      families.find((each) => each.name === name)?.samples.map(({ labels }) => labels['worker']) ?? [];
    expect(gauges(await read(), 'process_resident_memory_bytes').toSorted()).toEqual(['1', '2', 'supervisor']);
    expect(gauges(await read(), 'flowgate_connections').toSorted()).toEqual(['1', '2']);
    const [victim = 0] = gateway.workers();
    process.kill(victim, 'SIGKILL');
    await until('it was replaced', () => gateway.workers().length === 2 && !gateway.workers().includes(victim));
    const afterwards = await read();
    const reported = answered(afterwards);
    expect(reported).toBeGreaterThanOrEqual(before + 40);
    // Workers that end regularly report their last values.
    await Promise.all(Array.from({ length: 10 }, () => gateway.call(key)));
    await reload('workers.reloaded');
    expect(answered(await read())).toBe(reported + 10);
  });

  test('readiness is that of all workers: one that hangs makes the gateway unready, at every worker', async () => {
    await until('all are ready', async () => (await ready()).status === 200);
    const [hanging = 0] = gateway.workers();
    process.kill(hanging, 'SIGSTOP');
    try {
      // Connections to the process that hangs get no response.
      await until('another one says so', async () => {
        const answer = await ready().catch(() => undefined);
        if (answer === undefined) return false;
        const { message } = (await answer.json()) as { message?: string };
        return answer.status === 503 && /^Not ready: worker [12] unavailable\.$/.test(message ?? '');
      });
    } finally {
      process.kill(hanging, 'SIGCONT');
    }
    await until('all are ready again', async () => (await ready()).status === 200);
    expect(gateway.workers()).toContain(hanging);
  });
});
