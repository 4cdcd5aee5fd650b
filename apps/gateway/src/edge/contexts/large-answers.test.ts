/** Large bodies over real connections: the bytes of an answer are returned to the budget exactly once, however the answer ends. */

import { afterEach, expect, test } from 'bun:test';
import { connect, type Socket } from 'node:net';
import { BudgetedBuffer } from '@flowgate/bytes/budgeted-buffer';
import { BufferedBody } from '@flowgate/bytes/buffered-body';
import { ByteBudget } from '@flowgate/bytes/byte-budget';
import { TextContent } from '@flowgate/bytes/byte-content';
import { until } from '@flowgate/testing/until';
import { contextDeps } from '../../../test/fixtures/context-deps.ts';
import { edgeOf, openTestServer } from '../../../test/fixtures/test-server.ts';
import type { GatewayServer } from '../gateway-server.ts';
import { createLargeAnswers } from './large-answers.ts';
import type { RequestContext } from './request-context.ts';

const answerBytes = 20_000_000;
const content = new Uint8Array(answerBytes).fill(0x61);

const servers: GatewayServer[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) await server.drain(0);
});

/** A gateway whose every answer is large: buffered bytes on `/buffered`, text elsewhere; on `/late` after a delay. */
function startAnswering({ writeMs = 30_000, totalBytes = 500_000_000 } = {}) {
  const budget = new ByteBudget({ totalBytes, ownerBytes: totalBytes });
  const late = Promise.withResolvers<void>();
  const largeAnswers = createLargeAnswers(budget);
  let asked = 0;
  let answered = 0;
  const answer = async (context: RequestContext) => {
    context.setCaller({ userId: 'alice', via: 'token', roles: [] });
    if (!context.path.endsWith('buffered')) {
      asked += 1;
      await (context.path === '/late' ? late.promise : undefined);
      context.isRepeatable = context.path === '/repeatable';
      const reply = context.reply(200, 'é'.repeat(answerBytes / 2), 'text/plain');
      answered += 1;
      return reply;
    }
    const buffer = new BudgetedBuffer(budget, 'alice');
    if (buffer.append(content, 0, answerBytes) !== 'granted') return context.refuse('unavailable');
    return context.replyLarge(
      200,
      new BufferedBody([buffer], [{ source: buffer, start: 0, end: answerBytes }]),
      'text/plain',
    );
  };
  const server = openTestServer({ writeMs });
  const contexts = contextDeps({ largeAnswers });
  server.serve(edgeOf(contexts, answer));
  servers.push(server);
  const isFree = () => budget.reservedBytes === 0 && budget.owners === 0 && largeAnswers.count() === 0;
  return {
    server,
    budget,
    largeAnswers,
    isFree,
    arrive: () => late.resolve(),
    asked: () => asked,
    answered: () => answered,
  };
}

function ask(port: number, path: string, method = 'GET') {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  socket.pause();
  let received = 0;
  let isOver = false;
  socket.on('error', () => {});
  socket.on('close', () => {
    isOver = true;
  });
  socket.on('data', (part) => {
    received += part.length;
  });
  socket.write(`${method} ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  return { socket, received: () => received, isOver: () => isOver };
}

for (const path of ['/buffered', '/text']) {
  test(`${path}: a body that the caller reads is sent whole, its bytes are released as they are sent, and the connection is reused`, async () => {
    const { server, budget, isFree, largeAnswers } = startAnswering();
    const { socket, received } = ask(server.port, path);
    await until('the answer is in flight', () => largeAnswers.count() === 1);
    expect(budget.reservedBytes).toBeGreaterThan(0);
    expect(budget.reservedBytes).toBeLessThanOrEqual(answerBytes);
    socket.resume();
    await until('the answer was sent', isFree);
    await until('the answer has arrived', () => received() > answerBytes);
    const before = received();
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await until('the next answer has arrived', () => received() > before + answerBytes);
    await until('all bytes are released', isFree);
  });

  test(`${path}: a body that the caller does not read is cut off after a timeout, and its connection closes without an end of the body`, async () => {
    const { server, isFree, largeAnswers } = startAnswering({ writeMs: 300 });
    const { socket, received, isOver } = ask(server.port, path);
    await until('the answer is in flight', () => largeAnswers.count() === 1);
    await until('the answer was cut off', isFree);
    socket.resume();
    await until('the connection has ended', isOver);
    expect(received()).toBeLessThan(answerBytes);
  });

  test(`${path}: a caller that disconnects in the middle releases all bytes`, async () => {
    const { server, isFree, largeAnswers } = startAnswering();
    const { socket } = ask(server.port, path);
    await until('the answer is in flight', () => largeAnswers.count() === 1);
    expect(isFree()).toBe(false);
    socket.destroy();
    await until('all bytes are released', isFree);
  });

  test(`${path}: HEAD reserves no bytes`, async () => {
    const { server, isFree } = startAnswering();
    const { received } = ask(server.port, path, 'HEAD');
    sockets.at(-1)?.resume();
    await until('the head has arrived', () => received() > 0);
    await until('all bytes are released', isFree);
    expect(received()).toBeLessThan(1_000);
  });

  test(`${path}: a drain waits for a body that is being read, and cuts off one that is not`, async () => {
    const reading = startAnswering();
    const read = ask(reading.server.port, path);
    await until('the answer is in flight', () => reading.largeAnswers.count() === 1);
    const drained = reading.server.drain(20_000);
    read.socket.resume();
    expect(await drained).toBe(0);
    await until('the answer has arrived', () => read.received() > answerBytes);
    expect(reading.isFree()).toBe(true);

    const unread = startAnswering();
    ask(unread.server.port, path);
    await until('the answer is in flight', () => unread.largeAnswers.count() === 1);
    expect(await unread.server.drain(200)).toBe(1);
    await until('all bytes are released', unread.isFree);
  });
}

test('a caller that disconnects before the answer exists releases all bytes', async () => {
  const { server, isFree, arrive, asked, answered } = startAnswering();
  const { socket } = ask(server.port, '/late');
  await until('the request has arrived', () => asked() === 1);
  socket.destroy();
  const { promise: gone, resolve } = Promise.withResolvers<void>();
  socket.once('close', resolve);
  await gone;
  expect(answered()).toBe(0);
  arrive();
  await until('the request was answered', () => answered() === 1);
  await until('all bytes are released', isFree);
});

test('a text beyond the budget is refused when the request can be repeated, and sent when it cannot', async () => {
  const { server, budget, isFree } = startAnswering({ totalBytes: 1_000_000 });
  const url = `http://127.0.0.1:${server.port}/text`;
  const refusals = [await fetch(url), await fetch(url.replace('/text', '/repeatable'), { method: 'POST' })];
  for (const { status, headers } of refusals) expect([status, headers.get('retry-after')]).toEqual([503, '1']);
  const reported = await fetch(url, { method: 'POST' });
  expect(reported.status).toBe(200);
  expect((await reported.arrayBuffer()).byteLength).toBe(answerBytes);
  expect(budget.reservedBytes).toBe(0);
  await until('all bytes are released', isFree);
});

test('an answer of one block is charged until its last piece is read, and an answer beyond the budget is charged too (contract/bounds#waiting: answers of a user)', () => {
  const budget = new ByteBudget({ totalBytes: 1_000_000, ownerBytes: 300_000 });
  const { charged, overcharged, isFull } = createLargeAnswers(budget);
  const text = new TextContent('x'.repeat(200_000));
  const first = charged('alice', text);
  expect(first?.next()?.length).toBe(65_536);
  expect(budget.reservedBytes).toBe(200_000);
  expect(charged('alice', text)).toBeUndefined();
  expect(isFull('alice')).toBe(false);
  const second = overcharged('alice', text);
  expect([isFull('alice'), isFull('bob')]).toEqual([true, false]);
  while (first?.next() !== undefined);
  expect([budget.reservedBytes, isFull('alice')]).toEqual([200_000, false]);
  second.release();
  second.release();
  expect(budget.reservedBytes).toBe(0);
});

test('content beyond the budget is not written', () => {
  const { charged } = createLargeAnswers(new ByteBudget({ totalBytes: 10, ownerBytes: 10 }));
  let writes = 0;
  expect(charged('alice', { length: 100_000, writeTo: () => void writes++ })).toBeUndefined();
  expect(writes).toBe(0);
});
