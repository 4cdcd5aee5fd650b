/**
 * Several processes on one port: when one of them is killed, only the requests on its connections are lost
 * (docs/decisions/0069).
 */

import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import { postgresMissing } from '@flowgate/testing/postgres';
import { redisMissing } from '@flowgate/testing/redis';
import { until } from '@flowgate/testing/until';
import { openRaw } from '../../apps/gateway/test/fixtures/checked-raw-http.ts';
import {
  childrenOf,
  isAlive,
  type RunningWorkers,
  startWorkers,
} from '../../apps/gateway/test/fixtures/running-workers.ts';

const running: RunningWorkers[] = [];
afterEach(async () => {
  for (const each of running.splice(0)) await each.stop();
});

async function start(options: Parameters<typeof startWorkers>[0] = {}): Promise<RunningWorkers> {
  const started = await startWorkers(options);
  running.push(started);
  return started;
}

const named = ({ lines }: RunningWorkers, event: string) => lines().filter((line) => line.event === event);
const died = (gateway: RunningWorkers) => named(gateway, 'worker.died');
/** Includes processes that replaced others. */
const allServe = (gateway: RunningWorkers) => named(gateway, 'gateway.listening').length === 2 + died(gateway).length;

describe.skipIf(postgresMissing !== undefined || redisMissing !== undefined)('workers', () => {
  let shared: RunningWorkers | undefined;
  /** The same for tests that leave the gateway running; the last test drains it. */
  const sharedGateway = async () => (shared ??= await startWorkers());
  afterAll(() => shared?.stop());

  test('each worker serves requests and names itself in its log lines', async () => {
    const gateway = await sharedGateway();
    const key = await gateway.mint();
    const servedBy = () =>
      new Set(
        gateway.lines().flatMap(({ event, path, worker }) => (event === 'request' && path === '/rpc' ? [worker] : [])),
      );
    await until('each has served', async () => {
      const answers = await Promise.all(Array.from({ length: 8 }, () => gateway.call(key)));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      return servedBy().size === 2;
    });
    expect([...servedBy()].sort()).toEqual([1, 2]);
    expect(gateway.workers()).toHaveLength(2);
    expect(named(gateway, 'workers.serving')).toMatchObject([{ workers: 2 }]);
  });

  test('kill -9 of a worker under load: only calls on its connections are lost, and it is replaced', async () => {
    const gateway = await sharedGateway();
    const key = await gateway.mint();
    const [victim = 0, other = 0] = gateway.workers();
    // Each call has its own connection. Its end shows which of them the killed process had.
    const failures: string[] = [];
    let answered = 0;
    let isOver = false;
    const caller = async () => {
      while (!isOver)
        await gateway.call(key).then(
          async (answer) => {
            const { result } = (await answer.json()) as { result?: string };
            if (result === '0x10') answered += 1;
            else failures.push(`answered ${answer.status}`);
          },
          (error: unknown) =>
            failures.push(error instanceof Error && 'code' in error ? String(error.code) : String(error)),
        );
    };
    const callers = Array.from({ length: 6 }, caller);
    await until('calls are in progress', () => answered > 50);
    process.kill(victim, 'SIGKILL');
    await until('it was replaced', () => gateway.workers().length === 2 && !gateway.workers().includes(victim));
    const goal = answered + 200;
    await until('calls continue', () => answered > goal);
    isOver = true;
    await Promise.all(callers);
    // Six callers have one connection each, so at most six requests can have been lost.
    expect(failures.length).toBeLessThanOrEqual(6);
    expect(
      failures.filter((each) => each !== 'ECONNRESET' && each !== 'ConnectionRefused' && each !== 'ConnectionClosed'),
    ).toEqual([]);
    expect(gateway.workers()).toContain(other);
    expect(died(gateway)).toMatchObject([{ pid: victim, code: 'a signal' }]);
  });

  test('when all workers die, all are replaced', async () => {
    const gateway = await sharedGateway();
    const key = await gateway.mint();
    await until('all serve', () => allServe(gateway));
    const before = gateway.workers();
    for (const pid of before) process.kill(pid, 'SIGKILL');
    await until('it is noticed', () => before.every((pid) => died(gateway).some((death) => death['pid'] === pid)));
    await until('two others serve', () => allServe(gateway));
    expect(gateway.workers().filter((pid) => !before.includes(pid))).toHaveLength(2);
    expect((await gateway.call(key)).status).toBe(200);
    expect(gateway.process.exitCode).toBeNull();
  });

  test('a drain reaches all workers: calls in flight are answered, and the gateway ends with 0', async () => {
    const gateway = await sharedGateway();
    const key = await gateway.mint();
    await until('all serve', () => allServe(gateway));
    const released = Promise.withResolvers<void>();
    gateway.node.received.length = 0;
    gateway.node.behave(async (body) => {
      await released.promise;
      const { id } = JSON.parse(body) as { id: unknown };
      return Response.json({ jsonrpc: '2.0', id, result: '0x20' });
    });
    const calls = Array.from({ length: 12 }, (_, nth) => gateway.call(key, 'eth_call', [nth]));
    await until('all are with the node', () => gateway.node.received.length >= 12);
    // Signals every process of the service, as systemd does.
    for (const pid of [gateway.process.pid, ...gateway.workers()]) process.kill(pid, 'SIGTERM');
    await until('each drains', () => named(gateway, 'gateway.draining').length === 2);
    released.resolve();
    const answers = await Promise.all(calls);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const before = died(gateway).length;
    expect(await gateway.process.exited).toBe(0);
    expect(died(gateway)).toHaveLength(before);
  });

  test('a second signal ends all workers at once', async () => {
    const gateway = await start();
    const key = await gateway.mint();
    const pids = gateway.workers();
    gateway.node.behave(() => new Promise(() => {}));
    const cut = gateway.call(key, 'eth_call').catch(() => 'cut off');
    await until('it is with the node', () => gateway.node.received.length > 0);
    gateway.process.kill('SIGTERM');
    await until('each drains', () => named(gateway, 'gateway.draining').length === 2);
    gateway.process.kill('SIGTERM');
    expect(await gateway.process.exited).toBe(1);
    expect(await cut).toBe('cut off');
    expect(pids.filter(isAlive)).toEqual([]);
  });

  test('workers whose supervisor was killed finish their calls and end: no orphan occupies the port', async () => {
    const gateway = await start();
    const pids = gateway.workers();
    const connection = await openRaw(gateway.port);
    gateway.process.kill('SIGKILL');
    await gateway.process.exited;
    await until('they have ended', () => pids.every((pid) => !isAlive(pid)), 20_000);
    connection.close();
    expect(await fetch(gateway.url).catch(() => 'refused')).toBe('refused');
  });

  test('a start that cannot succeed ends with its reason, printed once', async () => {
    const tls = { certificate: '/nowhere/chain.pem', key: '/nowhere/key.pem' };
    const gateway = await start({ server: { tls }, waits: false });
    expect(await gateway.process.exited).toBe(1);
    expect(gateway.errors()).toBe('flowgate: server.tls.certificate cannot be read: there is no such file\n');
    expect(childrenOf(gateway.process.pid)).toEqual([]);
  });

  test('a port of another gateway is not shared with it', async () => {
    const options = { hostname: '127.0.0.1', port: 0, reusePort: true, socket: { data() {} } };
    const other = Bun.listen(options);
    const gateway = await start({ port: other.port, waits: false });
    expect(await gateway.process.exited).toBe(1);
    expect(gateway.errors()).toBe(`flowgate: cannot listen at 127.0.0.1, port ${other.port}: the port is in use\n`);
    other.stop(true);
  });
});
