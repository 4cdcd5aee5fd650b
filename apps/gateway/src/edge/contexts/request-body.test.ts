import { afterAll, expect, test } from 'bun:test';
import { createTimerWheel } from '@flowgate/async/timer-wheel';
import { systemClock } from '@flowgate/base/clock';
import { ByteBudget } from '@flowgate/bytes/byte-budget';
import { freeChunks } from '@flowgate/http1/client/chunked-decoder';
import { startBareServer } from '@flowgate/testing/bare-http-server';
import { rawRequest } from '@flowgate/testing/raw-http';
import { openRaw } from '../../../test/fixtures/checked-raw-http.ts';
import { type BodyCarrier, createReadBody } from './request-body.ts';

class CountedBudget extends ByteBudget {
  takes = 0;

  override take(owner: string, bytes: number) {
    this.takes += 1;
    return super.take(owner, bytes);
  }
}

const budget = new CountedBudget({ totalBytes: 4_000_000, ownerBytes: 1_000_000 });
const limits = { maxBytes: 600_000, timeoutMs: 10_000, countedFromBytes: 16_385, decodes: true };
const readBody = createReadBody(limits, budget, createTimerWheel(systemClock));

const server = startBareServer({
  async handle(request) {
    const carrier: BodyCarrier = {
      request,
      header: request.header,
      isSubrequest: false,
      body: undefined,
      bodyIsRead: false,
      freeBody: undefined,
    };
    await readBody(carrier, 'owner');
    const { body } = carrier;
    const taken = budget.reservedBytes;
    carrier.freeBody?.();
    const reported = { bytes: body?.ok === true ? body.value.length : body?.reason, taken, isRead: carrier.bodyIsRead };
    return { status: 200, headers: {}, body: JSON.stringify(reported) };
  },
  refuse: ({ status }) => ({ status, headers: {}, body: null }),
});
afterAll(() => server.stop(0));

async function send(headers: readonly string[], body: string): Promise<unknown> {
  const connection = await openRaw(server.port);
  connection.send(rawRequest('POST / HTTP/1.1', ['Host: x', ...headers], body));
  const answer = await connection.next();
  connection.close();
  return JSON.parse(answer?.body ?? 'null');
}

const chunked = ['Transfer-Encoding: chunked'];

test('small announced bodies reserve no bytes, all others reserve their length', async () => {
  const length = (bytes: number) => [`Content-Length: ${bytes}`];
  expect(await send(length(16_384), 'a'.repeat(16_384))).toEqual({ bytes: 16_384, taken: 0, isRead: true });
  expect(await send(length(16_385), 'a'.repeat(16_385))).toEqual({ bytes: 16_385, taken: 16_385, isRead: true });
  expect(await send(chunked, '3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n')).toEqual({ bytes: 5, taken: 5, isRead: true });
  expect(await send([], '')).toEqual({ bytes: 0, taken: 0, isRead: true });
  expect([budget.reservedBytes, budget.owners]).toEqual([0, 0]);
});

test('a body beyond its limit is not read to its end and releases its bytes', async () => {
  const part = `${(100_000).toString(16)}\r\n${'a'.repeat(100_000)}\r\n`;
  expect(await send(chunked, `${part.repeat(7)}0\r\n\r\n`)).toEqual({ bytes: 'too-large', taken: 0, isRead: false });
});

test('reading a body costs in proportion to its bytes, not to its number of chunks', async () => {
  budget.takes = 0;
  const count = freeChunks;
  expect(await send(chunked, `${'1\r\na\r\n'.repeat(count)}0\r\n\r\n`)).toMatchObject({ bytes: count });
  // One reservation for each read of the socket; one for each chunk would be thousands.
  expect(budget.takes).toBeLessThan(count / 100);
});

test('a body in too many chunks is refused and releases its bytes', async () => {
  const body = `${'1\r\na\r\n'.repeat(2 * freeChunks)}0\r\n\r\n`;
  expect(await send(chunked, body)).toEqual({ bytes: 'bad-request', taken: 0, isRead: false });
});

test('a counted body that has arrived whole is read synchronously, reserves its bytes until released, and is refused without budget', () => {
  const room = new ByteBudget({ totalBytes: 100, ownerBytes: 70 });
  const read = createReadBody({ ...limits, countedFromBytes: 1 }, room, createTimerWheel(systemClock));
  const carrierOf = (bytes: number): BodyCarrier => ({
    request: {
      body: {
        announced: bytes,
        takeWhole: () => new Uint8Array(bytes),
        next: () => Promise.reject(new Error('it had arrived whole')),
        discard: () => {},
      },
    },
    header: () => null,
    isSubrequest: false,
    body: undefined,
    bodyIsRead: false,
    freeBody: undefined,
  });
  const [first, second] = [carrierOf(60), carrierOf(60)];
  expect([read(first, 'a'), read(second, 'a')]).toEqual([undefined, undefined]);
  expect([first.body, second.body]).toMatchObject([{ ok: true }, { ok: false, reason: 'unavailable' }]);
  expect([first.bodyIsRead, second.bodyIsRead, room.reservedBytes]).toEqual([true, false, 60]);
  first.freeBody?.();
  expect(room.reservedBytes).toBe(0);
});
