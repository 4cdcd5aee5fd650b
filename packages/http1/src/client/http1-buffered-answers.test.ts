/**
 * Large answers to requests that name their owner are charged as they arrive and passed on as bytes. Every outcome
 * returns them to the budget.
 */
import { afterEach, describe, expect, test } from 'bun:test';
import { ByteBudget } from '@flowgate/bytes/byte-budget';
import { endAll, open, type Peer, serve, writeAll } from '@flowgate/testing/raw-http1-server';
import { until } from '@flowgate/testing/until';
import { ResponseReader } from './http1-response-reader.ts';

afterEach(endAll);

const budgetOf = (totalBytes = 10_000_000, ownerBytes = totalBytes) => new ByteBudget({ totalBytes, ownerBytes });
const ascii = (length: number) => 'abcdefgh'.repeat(Math.ceil(length / 8)).slice(0, length);
const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));

const framings: Readonly<Record<string, { frame: (body: string) => string; ends: boolean }>> = {
  'Content-Length': {
    frame: (body) => `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    ends: false,
  },
  chunked: {
    frame: (body) =>
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${body.replaceAll(/.{1,50000}/g, (part) => `${part.length.toString(16)}\r\n${part}\r\n`)}0\r\n\r\n`,
    ends: false,
  },
  'until close': { frame: (body) => `HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n${body}`, ends: true },
};

function readInPieces(text: string, size: number, ends: boolean, budget: ByteBudget) {
  const reader = new ResponseReader(1 << 20, budget);
  reader.countFor('alice');
  const all = bytes(text);
  for (let at = 0; at < all.length; at += size) {
    const result = reader.push(all.slice(at, at + size));
    if (result !== 'more') return { reader, result };
  }
  return { reader, result: ends ? reader.end() : ('more' as const) };
}

describe('in every framing, for pieces of any size', () => {
  for (const [name, { frame, ends }] of Object.entries(framings))
    test(`${name}: content over 64 KiB is buffered and charged; smaller content is text`, () => {
      for (const length of [0, 1, 65_535, 65_536, 65_537, 200_000])
        for (const size of [1000, 65_536, 1_000_000]) {
          const budget = budgetOf();
          const { reader, result } = readInPieces(frame(ascii(length)), size, ends, budget);
          expect(result).toBe('done');
          expect(reader.isBuffered).toBe(length > 65_536);
          const buffered = reader.takeBuffered();
          expect(buffered === undefined ? reader.body : buffered.text(0, buffered.length)).toBe(ascii(length));
          expect(budget.reservedBytes).toBe(length > 65_536 ? length : 0);
          reader.reset();
          buffered?.release();
          expect(budget.reservedBytes).toBe(0);
        }
    });

  for (const [name, { frame, ends }] of Object.entries(framings))
    test(`${name}: reading ends where there is no room, and the bytes already charged are returned`, () => {
      const budget = budgetOf(1_000_000, 150_000);
      const { reader, result } = readInPieces(frame(ascii(200_000)), 10_000, ends, budget);
      expect(result).toBe('owner-full');
      expect(budget.reservedBytes).toBeLessThanOrEqual(150_000);
      reader.reset();
      expect(budget.reservedBytes).toBe(0);
    });
});

const large = `HTTP/1.1 200 OK\r\nContent-Length: 300000\r\n\r\n`;

describe('the budget is unchanged after', () => {
  const endings: Readonly<
    Record<string, { behave: (peer: Peer) => void; failure: string; maxResponseBytes?: number }>
  > = {
    'a node that closes in the middle of the answer': {
      behave: (peer) => void peer.end(large + ascii(200_000)),
      failure: 'broken',
    },
    'a node that stops sending in the middle': {
      behave: (peer) => writeAll(peer, bytes(large + ascii(200_000))),
      failure: 'timeout',
    },
    'an answer over the limit': {
      behave: (peer) =>
        writeAll(
          peer,
          bytes(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${`10000\r\n${ascii(65_536)}\r\n`.repeat(9)}`),
        ),
      failure: 'too-large',
      maxResponseBytes: 350_000,
    },
    'an invalid chunked coding': {
      behave: (peer) =>
        writeAll(
          peer,
          bytes(
            `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${`10000\r\n${ascii(65_536)}\r\n`.repeat(2)}nonsense`,
          ),
        ),
      failure: 'malformed',
    },
    'no room for the rest': {
      behave: (peer) => writeAll(peer, bytes(large.replace('300000', '500000') + ascii(500_000))),
      failure: 'owner-full',
    },
  };
  for (const [name, { behave, failure, maxResponseBytes = 550_000 }] of Object.entries(endings))
    test(name, async () => {
      const answerBudget = budgetOf(2_000_000, 400_000);
      const { url } = serve(behave);
      const client = open(url, { answerBudget, timeoutMs: 400, maxResponseBytes });
      expect(await client.post('x', { timeoutMs: 400, owner: 'alice' })).toMatchObject({
        ok: false,
        failure,
        sent: true,
      });
      expect({ bytes: answerBudget.reservedBytes, owners: answerBudget.owners }).toEqual({ bytes: 0, owners: 0 });
    });

  test('a client that is closed in the middle', async () => {
    const answerBudget = budgetOf();
    const { url } = serve((peer) => writeAll(peer, bytes(large + ascii(200_000))));
    const client = open(url, { answerBudget });
    const reply = client.post('x', { timeoutMs: 10_000, owner: 'alice' });
    await until(() => answerBudget.reservedBytes > 100_000);
    client.close();
    expect(await reply).toMatchObject({ ok: false, failure: 'broken' });
    expect(answerBudget.reservedBytes).toBe(0);
  });
});

test('one connection serves several owners in turn, each charged for its own answers; an answer without an owner is text of any size', async () => {
  const answerBudget = budgetOf();
  const { url, seen } = serve((peer) => writeAll(peer, bytes(large + ascii(300_000))));
  const client = open(url, { answerBudget });
  for (const owner of ['alice', 'bob']) {
    const reply = await client.post('x', { timeoutMs: 10_000, owner });
    if (!reply.ok || reply.buffered === undefined) throw new Error('no buffered answer');
    expect(reply.body).toBe('');
    expect(answerBudget.reservedBytes).toBe(300_000);
    expect(reply.buffered.text(0, 300_000)).toBe(ascii(300_000));
    reply.buffered.release();
    expect(answerBudget.owners).toBe(0);
  }
  expect(await client.post('x')).toEqual({ ok: true, status: 200, body: ascii(300_000) });
  expect(answerBudget.reservedBytes).toBe(0);
  expect(seen.connections).toBe(1);
});
