/** Health, readiness, drain, restarts, and data that survives a crash (contract/running#readiness, contract/keys). */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { once } from 'node:events';
import { connect } from 'node:net';
import { isJsonObject } from '@flowgate/json/json-object';
import { rawRequest } from '@flowgate/testing/raw-http';
import { until } from '@flowgate/testing/until';
import { expectStandardError, jsonBody } from '../../apps/gateway/test/fixtures/answers.ts';
import { openRaw } from '../../apps/gateway/test/fixtures/checked-raw-http.ts';
import { wellBehaved } from '../../apps/gateway/test/fixtures/fake-node.ts';
import { runFlowgate } from '../../apps/gateway/test/fixtures/run-flowgate.ts';
import { type Minted, type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

// These tests start and end whole processes, so the timeout is long; it is no expectation.
const call = { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber' };
const unavailable = { status: 503, error: 'Service unavailable' };

/** The node delays every call until the test releases it. */
function holdNode(gateway: RunningGateway): () => void {
  const gate = Promise.withResolvers<void>();
  gateway.node.behave(async (body) => {
    await gate.promise;
    return wellBehaved(body);
  });
  return gate.resolve;
}

async function beginDrain(gateway: RunningGateway) {
  gateway.process.kill('SIGTERM');
  await until('the drain has begun', async () => (await gateway.fetch('/readyz')).status === 503);
}

describe('probes', () => {
  let gateway: RunningGateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.stop());

  test('healthz is 200 without a credential, readyz is 200 when database and issuer are available', async () => {
    for (const path of ['/healthz', '/readyz']) {
      const answer = await gateway.fetch(path);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
      expect(answer.headers.has('x-ratelimit-limit')).toBe(false);
    }
  });

  test('a credential on a probe is not checked and does not count', async () => {
    // When the disk is busy, it may be 503 for a moment, but never 401.
    for (const headers of [{ 'X-API-Key': 'rubbish' }, { Authorization: `Bearer ${gateway.token('prober')}` }])
      await until('it is ready', async () => {
        const { status } = await gateway.fetch('/readyz', { headers });
        expect([200, 503]).toContain(status);
        return status === 200;
      });
    const answer = await gateway.fetch('/users/me/id', {
      headers: { Authorization: `Bearer ${gateway.token('prober')}` },
    });
    expect(answer.headers.get('x-ratelimit-remaining')).toBe('299');
  });

  test('every request has one line of valid JSON in the log, with its id and its masked path', async () => {
    const { apiKey, keyId } = await gateway.mint();
    const answer = await gateway.fetch(`/rpc/${apiKey}?q=1`, {
      method: 'POST',
      headers: { 'X-Request-Id': 'log-line-1' },
      body: JSON.stringify(call),
    });
    expect(answer.status).toBe(200);
    await until('the line is written', () => gateway.output().includes('log-line-1'));
    const lines = gateway.output().split('\n').slice(0, -1);
    const parsed = lines.map((line): unknown => JSON.parse(line)).filter(isJsonObject);
    expect(parsed).toHaveLength(lines.length);
    for (const line of parsed)
      expect(line).toEqual(
        expect.objectContaining({
          time: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
          level: expect.stringMatching(/^(debug|info|warn|error)$/),
          event: expect.any(String),
        }),
      );
    expect(parsed.filter((line) => line['requestId'] === 'log-line-1')).toEqual([
      {
        time: expect.any(String),
        level: 'info',
        event: 'request',
        requestId: 'log-line-1',
        method: 'POST',
        path: `/rpc/fk_${keyId}.***`,
        status: 200,
        ms: expect.any(Number),
      },
    ]);
  });

  test('a port in use is exit 1, and the message names it', async () => {
    const ended = await runFlowgate(['start', '--config', gateway.configFile], { FLOWGATE_PEPPER: 'x'.repeat(40) });
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain(String(gateway.port));
    expect((await gateway.fetch('/readyz')).status).toBe(200);
  });
});

test('SIGHUP interrupts nothing, and the log lists what was read again: without a certificate nothing', async () => {
  const gateway = await startGateway();
  try {
    const { apiKey } = await gateway.mint();
    const release = holdNode(gateway);
    const arrived = gateway.node.nextArrival();
    const inFlight = gateway.rpc(apiKey, call);
    await arrived;
    gateway.process.kill('SIGHUP');
    await until('it says so', () => gateway.output().includes('"event":"gateway.reloaded","reloaded":""'));
    release();
    expect((await inFlight).status).toBe(200);
    expect((await gateway.rpc(apiKey, call)).status).toBe(200);
  } finally {
    await gateway.stop();
  }
});

describe('SIGTERM', () => {
  test('SIGTERM lets calls in flight finish, refuses new ones with 503, ends with 0, and stores lastUsedAt', async () => {
    const gateway = await startGateway();
    try {
      const { apiKey } = await gateway.mint();
      const idle = await openRaw(gateway.port);
      idle.send(rawRequest('GET /healthz HTTP/1.1', ['Host: gateway']));
      expect((await idle.next())?.status).toBe(200);
      const release = holdNode(gateway);
      const arrived = gateway.node.nextArrival();
      const inFlight = gateway.rpc(apiKey, call);
      await arrived;
      await beginDrain(gateway);

      await expectStandardError(await gateway.rpc(apiKey, call), { ...unavailable, path: '/rpc' });
      await expectStandardError(await gateway.fetch('/users/me/id', { headers: { 'X-API-Key': apiKey } }), {
        ...unavailable,
        path: '/users/me/id',
      });
      idle.send(rawRequest('GET /users/me/id HTTP/1.1', ['Host: gateway', `X-API-Key: ${apiKey}`]));
      const onIdle = await idle.next();
      expect([onIdle?.status, onIdle?.headers.has('retry-after')]).toEqual([503, true]);
      expect((await gateway.fetch('/healthz')).status).toBe(200);

      release();
      const answer = await inFlight;
      expect([answer.status, await answer.json()]).toEqual([200, { jsonrpc: '2.0', id: 1, result: '0x10' }]);
      expect(await gateway.process.exited).toBe(0);
      idle.close();

      await gateway.restart();
      const listed = await gateway.fetch('/users/me/api-keys', {
        headers: { Authorization: `Bearer ${gateway.token()}` },
      });
      expect(await jsonBody(listed)).toEqual({ data: [expect.objectContaining({ lastUsedAt: expect.any(String) })] });
      expect((await gateway.rpc(apiKey, call)).status).toBe(200);
    } finally {
      await gateway.stop();
    }
  });

  test('SIGTERM ends at once with 0 when nothing is in flight, with and without idle connections', async () => {
    const gateway = await startGateway();
    try {
      const idle = await openRaw(gateway.port);
      idle.send(rawRequest('GET /healthz HTTP/1.1', ['Host: gateway']));
      expect((await idle.next())?.status).toBe(200);
      gateway.process.kill('SIGTERM');
      expect(await gateway.process.exited).toBe(0);
      expect(await idle.next()).toBeUndefined();
    } finally {
      await gateway.stop();
    }
  });

  test('SIGTERM cuts off calls that outlast drainSeconds, and the exit code is 1', async () => {
    const gateway = await startGateway({ config: { server: { drainSeconds: 0.2 } } });
    try {
      const { apiKey } = await gateway.mint();
      const release = holdNode(gateway);
      const arrived = gateway.node.nextArrival();
      const inFlight = gateway.rpc(apiKey, call).catch(() => 'cut off');
      await arrived;
      gateway.process.kill('SIGTERM');
      expect(await gateway.process.exited).toBe(1);
      expect(await inFlight).toBe('cut off');
      release();
    } finally {
      await gateway.stop();
    }
  });

  test('SIGTERM waits for answers that are being sent: a slow reader receives all of a large one', async () => {
    const gateway = await startGateway();
    try {
      const { apiKey } = await gateway.mint();
      const size = 20_000_000;
      gateway.node.behave((body) =>
        Response.json({ jsonrpc: '2.0', id: JSON.parse(body).id, result: 'a'.repeat(size) }),
      );
      const socket = connect(gateway.port, '127.0.0.1').pause();
      const body = JSON.stringify(call);
      socket.write(
        rawRequest('POST /rpc HTTP/1.1', ['Host: x', `X-API-Key: ${apiKey}`, `Content-Length: ${body.length}`], body),
      );
      await once(socket, 'readable');
      gateway.process.kill('SIGTERM');
      await until('the drain has begun', async () => gateway.output().includes('gateway.draining'));
      let received = 0;
      for await (const part of socket) received += part.length;
      expect(received).toBeGreaterThan(size);
      expect(await gateway.process.exited).toBe(0);
    } finally {
      await gateway.stop();
    }
  });

  test('a second signal ends the process at once with 1', async () => {
    const gateway = await startGateway({ config: { server: { drainSeconds: 600 } } });
    try {
      const { apiKey } = await gateway.mint();
      const release = holdNode(gateway);
      const arrived = gateway.node.nextArrival();
      const inFlight = gateway.rpc(apiKey, call).catch(() => undefined);
      await arrived;
      await beginDrain(gateway);
      gateway.process.kill('SIGINT');
      expect(await gateway.process.exited).toBe(1);
      await inFlight;
      release();
    } finally {
      await gateway.stop();
    }
  });
});

test('kill -9 during parallel requests for keys loses no key that was returned', async () => {
  const gateway = await startGateway();
  try {
    for (const round of [1, 2]) {
      const answered: Minted[] = [];
      const enough = Promise.withResolvers<void>();
      const minters = Array.from({ length: 20 }, async (_, at) => {
        for (let nth = 0; nth < 9; nth++) {
          const minted = await gateway.mint(`minter-${round}-${at}`).catch(() => undefined);
          if (minted === undefined) return;
          if (answered.push(minted) === 30) enough.resolve();
        }
      });
      await enough.promise;
      gateway.process.kill('SIGKILL');
      await Promise.all(minters);
      await gateway.restart();
      const statuses = await Promise.all(answered.map(async ({ apiKey }) => (await gateway.rpc(apiKey, call)).status));
      expect(answered.length).toBeGreaterThanOrEqual(30);
      expect(statuses).toEqual(new Array(answered.length).fill(200));
    }
  } finally {
    await gateway.stop();
  }
});
