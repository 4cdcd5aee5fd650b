/**
 * Large responses (over 64 KiB): the node's own bytes, with a memory limit in total and for each user, released when
 * the client does not read them (docs/decisions/0043).
 */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { connect, type Socket } from 'node:net';
import { until } from '@flowgate/testing/until';
import { expectStandardError } from '../../apps/gateway/test/fixtures/answers.ts';
import { answering, idsOf } from '../../apps/gateway/test/fixtures/fake-node.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

const mebibyte = 1_048_576;
const config = {
  server: { writeTimeoutSeconds: 2, drainSeconds: 20 },
  // The limit of a user permits one maximum response, and the total limit four.
  limits: { userPerMinute: 100_000, maxAnswerBytesInFlight: 64 * mebibyte },
  outbound: { maxResponseBytes: 16 * mebibyte },
};
let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway({ config });
});
afterAll(() => gateway.stop());

const call = (method = 'eth_getLogs') => `{"jsonrpc":"2.0","id":7.0,"method":"${method}","params":[]}`;
const text = (bytes: number) => `"${'0123456789abcdef'.repeat(Math.ceil(bytes / 16)).slice(0, bytes - 2)}"`;

const open: Socket[] = [];
afterAll(() => {
  for (const socket of open) socket.destroy();
});

/** Sends a call on a connection of its own and reads nothing until the test resumes it. */
function askUnread(apiKey: string, asked = gateway) {
  const body = call();
  const socket = connect(asked.port, '127.0.0.1');
  open.push(socket);
  socket.pause();
  socket.on('error', () => {});
  let received = 0;
  const ended = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  socket.on('data', (part) => {
    received += part.length;
  });
  socket.write(
    `POST /rpc HTTP/1.1\r\nHost: x\r\nX-API-Key: ${apiKey}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  return { socket, ended, received: () => received };
}

/** Like `askUnread`; resolves when the first bytes of the response have arrived. */
async function begun(apiKey: string, from = gateway) {
  const asked = askUnread(apiKey, from);
  asked.socket.once('data', () => asked.socket.pause());
  asked.socket.resume();
  await until('the answer has begun', () => asked.received() > 0);
  return asked;
}

/** Waits until as many large responses are granted at once as the limit permits when nothing is in flight. */
function roomFor(apiKey: string, answers: number): Promise<void> {
  return until('the buffers are free again', async () => {
    const asked = Array.from({ length: answers }, async () => {
      const answer = await gateway.rpc(apiKey, call());
      await answer.arrayBuffer();
      return answer.status === 200;
    });
    return (await Promise.all(asked)).every(Boolean);
  });
}

describe('a large answer is the node’s own bytes with the caller’s id (contract/json-rpc)', () => {
  for (const bytes of [65_400, 65_536, 65_600, 300_001, 5 * mebibyte])
    test(`a result of ${bytes} bytes`, async () => {
      const { apiKey } = await gateway.mint(`reader-${bytes}`);
      const result = `[1.0, "é€\\ud83d", {"id" : null}, ${text(bytes - 32)}]`;
      gateway.node.behave(answering(result));
      const answer = await gateway.rpc(apiKey, call());
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('application/json');
      expect(answer.headers.get('x-ratelimit-limit')).toBe('100000');
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
      expect((await answer.text()) === `{"jsonrpc":"2.0","id":7.0,"result":${result}}`).toBeTrue();
    });

  test('in a batch, in the caller’s order, between refused and failed elements', async () => {
    const { apiKey } = await gateway.mint('batcher');
    const results = [text(40_000), text(2 * mebibyte), '"short"', text(100_000)];
    gateway.node.behave((body) => {
      const ids = idsOf(body);
      const parts = results.map((result, at) => `{"id":${ids[at]},"result":${result}}`);
      parts[2] = `{"id":${ids[2]},"error":{"code":-1,"message":"no"}}`;
      return new Response(`[ ${parts.reverse().join(' , ')} ]`);
    });
    // Equal calls would be coalesced.
    let nth = 0;
    const message = (id: string) => `{"jsonrpc":"2.0","method":"eth_getLogs","params":[${nth++}]${id}}`;
    const answer = await gateway.rpc(
      apiKey,
      `[${message(',"id":"a"')},{"jsonrpc":"2.0","id":2,"method":"admin_peers"},${message(',"id":3')},7,${message(',"id":4')},${message(',"id":5.0')},${message('')}]`,
    );
    const blocked =
      '{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"Method not allowed.","data":{"reason":"method_blocked","method":"admin_peers"}}}';
    const invalid =
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid request.","data":{"detail":"a request must be an object"}}}';
    const expected = `[{"jsonrpc":"2.0","id":"a","result":${results[0]}},${blocked},{"jsonrpc":"2.0","id":3,"result":${results[1]}},${invalid},{"jsonrpc":"2.0","id":4,"error":{"code":-1,"message":"no"}},{"jsonrpc":"2.0","id":5.0,"result":${results[3]}}]`;
    expect((await answer.text()) === expected).toBeTrue();
  });

  test('an error, with the node’s address masked', async () => {
    const { apiKey } = await gateway.mint('erring');
    gateway.node.behave(answering(`{"code":3,"message":"at ${gateway.node.url}/x","data":${text(200_000)}}`, 'error'));
    const body = await (await gateway.rpc(apiKey, call())).text();
    expect(body).not.toContain(gateway.node.url);
    expect(
      body === `{"jsonrpc":"2.0","id":7.0,"error":{"code":3,"message":"at ***/x","data":${text(200_000)}}}`,
    ).toBeTrue();
  });

  const rubbish: Readonly<Record<string, (body: string) => string>> = {
    'is no JSON': () => `<html>${'x'.repeat(100_000)}`,
    'is cut off': (body) => `{"id":${idsOf(body)[0]},"result":${text(100_000).slice(0, -1)}`,
    "has another call's id": () => `{"id":1234567,"result":${text(100_000)}}`,
    'has two ids': (body) => `{"id":${idsOf(body)[0]},"result":${text(100_000)},"id":${idsOf(body)[0]}}`,
  };
  for (const [name, answer] of Object.entries(rubbish))
    test(`an answer that ${name} is 502`, async () => {
      const { apiKey } = await gateway.mint('rubbish');
      gateway.node.behave((body) => new Response(answer(body)));
      const expected = { status: 502, error: 'Bad gateway', path: '/rpc' };
      await expectStandardError(await gateway.rpc(apiKey, call()), expected);
    });
});

test('an unread answer uses up its user’s share of the buffers and is then cut off; small answers and other users are not affected', async () => {
  const [reluctant, other] = [await gateway.mint('reluctant'), await gateway.mint('other')];
  const large = answering(text(15 * mebibyte));
  const small = answering('"0x10"');
  gateway.node.behave((body, request) => (body.includes('eth_getLogs') ? large : small)(body, request));
  let unread = await begun(reluctant.apiKey);
  let refused = new Response();
  await until('the share is used up', async () => {
    refused = await gateway.rpc(reluctant.apiKey, call());
    if (refused.status === 503) return true;
    // On a busy machine the response had been sent completely before.
    await refused.arrayBuffer();
    unread = await begun(reluctant.apiKey);
    return false;
  });
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(Number(refused.headers.get('x-ratelimit-remaining'))).toBeGreaterThan(0);
  const message = await expectStandardError(refused, { status: 503, error: 'Service unavailable', path: '/rpc' });
  expect(message).toMatch(/in flight to you/);
  expect((await gateway.rpc(reluctant.apiKey, call('eth_blockNumber'))).status).toBe(200);
  const answer = await gateway.rpc(other.apiKey, call());
  expect(answer.status).toBe(200);
  expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(15 * mebibyte);

  await roomFor(reluctant.apiKey, 1);
  // Earlier bytes are in the system's buffers; then the connection ends before the response is complete.
  unread.socket.resume();
  await unread.ended;
  expect(unread.received()).toBeLessThan(15 * mebibyte);
});

test('an answer whose caller disconnects releases its buffer', async () => {
  const { apiKey } = await gateway.mint('leaver');
  gateway.node.behave(answering(text(15 * mebibyte)));
  for (let round = 0; round < 3; round++) {
    const { socket } = await begun(apiKey);
    socket.destroy();
    await roomFor(apiKey, 1);
    const next = await gateway.rpc(apiKey, call());
    expect([next.status, (await next.arrayBuffer()).byteLength > 15 * mebibyte]).toEqual([200, true]);
  }
});

test('a caller that reads slowly receives everything: the timeout restarts with each piece', async () => {
  const { apiKey } = await gateway.mint('slow');
  gateway.node.behave(answering(text(14 * mebibyte)));
  const { socket, received, ended } = askUnread(apiKey);
  let allowed = 0;
  const tick = setInterval(() => {
    allowed += mebibyte / 2;
    socket.resume();
  }, 100);
  socket.on('data', () => {
    if (received() >= allowed) socket.pause();
  });
  const started = performance.now();
  await until('everything was read', () => received() > 14 * mebibyte, 15_000);
  clearInterval(tick);
  expect(performance.now() - started).toBeGreaterThan(2_000);
  socket.destroy();
  await ended;
});

test('a drain waits for answers that are being sent', async () => {
  const leaving = await startGateway({ config });
  try {
    const { apiKey } = await leaving.mint('drained');
    leaving.node.behave(answering(text(14 * mebibyte)));
    const { socket, received, ended } = await begun(apiKey, leaving);
    leaving.process.kill('SIGTERM');
    await until('the drain has begun', () => leaving.output().includes('gateway.draining'));
    await until('new connections are refused', async () => {
      const probe = await leaving.rpc(apiKey, call('eth_blockNumber')).catch(() => undefined);
      return probe === undefined || probe.status === 503;
    });
    socket.resume();
    await ended;
    expect(received()).toBeGreaterThan(14 * mebibyte);
    expect(await leaving.process.exited).toBe(0);
    expect(leaving.output()).toContain('"cutOff":0');
  } finally {
    await leaving.stop();
  }
});
