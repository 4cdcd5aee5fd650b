import { afterEach, describe, expect, test } from 'bun:test';
import { createTimeSlices } from '@flowgate/async/time-slices';
import { createTimerWheel } from '@flowgate/async/timer-wheel';
import { TurnBudget } from '@flowgate/async/turn-budget';
import { systemClock } from '@flowgate/base/clock';
import { systemRandomBytes } from '@flowgate/base/random';
import { ByteBudget } from '@flowgate/bytes/byte-budget';
import { rangeOf } from '@flowgate/bytes/byte-range';
import { fragments, frame } from '@flowgate/testing/frames';
import { endAll, endsWith } from '@flowgate/testing/raw-http1-server';
import { resultOf, type SocketPeer } from '@flowgate/testing/raw-socket-server';
import { until } from '@flowgate/testing/until';
import { minAverageFrameBytes } from '@flowgate/websocket/client/frame-reader';
import { evmChain } from '../../../test/fixtures/chain-questions.ts';
import { type RawSocketNodeOptions, startRawSocketNode } from '../../../test/fixtures/raw-socket-node.ts';
import { withTexts } from '../../../test/fixtures/with-texts.ts';
import type { BufferedResult, NodeCall } from '../port/node-port.ts';
import { createNodeIds } from '../port/node-request.ts';
import { maxInFlight } from './call-socket.ts';
import type { SocketOptions } from './transport-options.ts';
import { openWsNode } from './ws-node.ts';

afterEach(endAll);

const timerWheel = createTimerWheel(systemClock, 5);

function open(url: string, options: Partial<SocketOptions> = {}) {
  const budget = new ByteBudget({ totalBytes: 8_000_000, ownerBytes: 2_000_000 });
  const node = openWsNode({
    ...{ nodeId: 'a', url, chain: evmChain(1), timeoutMs: 5_000, timerWheel, clock: systemClock },
    turns: new TurnBudget(systemClock),
    ...{ slices: createTimeSlices(systemClock), takeIds: createNodeIds(), randomBytes: systemRandomBytes },
    ...{ answerBudget: budget, maxResponseBytes: 3_000_000 },
    ...options,
  });
  endsWith(node.close);
  return { node, budget };
}

const textOf = ({ parts }: BufferedResult) =>
  parts
    .map((part) => (typeof part === 'object' && 'source' in part ? part.source.text(part.start, part.end) : ''))
    .join('');
const callerOf = (userId: string) => ({ userId, request: new AbortController() });
const read = (params: unknown = [], more: Partial<NodeCall> = {}): NodeCall => ({
  ...{ method: 'eth_call', params: rangeOf(JSON.stringify(params)), repeatable: true, caller: callerOf('alice') },
  ...more,
});
const write = (params: unknown = ['0x00']) => read(params, { method: 'eth_sendRawTransaction', repeatable: false });
const echo = ({ id, params }: { id: number; params: unknown }, peer: SocketPeer) => peer.say(resultOf(id, params));

describe('a connection that is not made', () => {
  const refusal = (status: string, more = '') => ({ handshake: () => `HTTP/1.1 ${status}\r\n${more}\r\n` });
  const changed = (from: RegExp | string, to: string) => ({
    handshake: (_request: string, accept: string) => accept.replace(from, to),
  });
  const rows: readonly (readonly [string, RawSocketNodeOptions, object])[] = [
    ['429', refusal('429 Too Many', 'Retry-After: 7\r\n'), { fault: 'refused', retryAfterMs: 7_000 }],
    ['401', refusal('401 No'), { fault: 'refused' }],
    ['403', refusal('403 No'), { fault: 'refused' }],
    ['503 with a body', refusal('503 No', 'Content-Length: 2\r\n\r\nno'), { fault: 'refused' }],
    ['a redirect, which is not followed', refusal('302 Found', 'Location: ws://127.0.0.1/\r\n'), { fault: 'unusable' }],
    ['a server of HTTP alone', refusal('200 OK', 'Content-Length: 0\r\n'), { fault: 'unusable' }],
    ['another key', changed(/Accept: \S*/, 'Accept: x3JJHMbDL1EzLkh9GBhXDw=='), { fault: 'malformed' }],
    ['another protocol', changed('WebSocket', 'h2c'), { fault: 'malformed' }],
    ['no Connection: Upgrade', changed(', Upgrade', ''), { fault: 'malformed' }],
    [
      'compression, which was not offered',
      changed('\r\n\r\n', '\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n'),
      { fault: 'malformed' },
    ],
    ['a subprotocol', changed('\r\n\r\n', '\r\nSec-WebSocket-Protocol: x\r\n\r\n'), { fault: 'malformed' }],
    ['no HTTP', { handshake: () => 'hello\r\n\r\n' }, { fault: 'malformed' }],
    ['another chain', { chainId: 5 }, { fault: 'wrong-chain', foundChain: '5' }],
  ];

  test.each(rows)(
    '%s: nothing was sent, and the reason contains no secret (RFC 6455 4.1)',
    async (_what, options, fault) => {
      const { url, seen } = startRawSocketNode(echo, options);
      const { node } = open(`${url}/v3/providers-key-0123456789`);
      for (const call of [read(), write()]) {
        const reply = await node.send(call);
        expect(reply).toMatchObject({ ok: false, maybeDelivered: false, ...fault });
        expect(JSON.stringify(reply)).not.toMatch(/providers-key|127\.0\.0\.1/);
      }
      expect(await node.probe()).toMatchObject({ ok: false, maybeDelivered: false, ...fault });
      expect(seen.asked).toEqual([]);
    },
  );

  test('a server that accepts and sends nothing has the time of a connection, before and after the handshake', async () => {
    const before = startRawSocketNode(echo, { handshake: () => '' });
    const after = startRawSocketNode(echo, {
      handshake: (_request, accept) => accept.replace('WebSocket', 'websocket'),
      chainId: Number.NaN,
    });
    for (const { url } of [before, after]) {
      const { node } = open(url, { timeoutMs: 100 });
      const reply = await node.send(read());
      expect(reply).toMatchObject({ ok: false, maybeDelivered: false });
      expect(reply.ok ? '' : reply.fault).toMatch(/connect|unfit/);
    }
    const { node } = open('ws://127.0.0.1:1');
    expect(await node.send(write())).toMatchObject({ ok: false, fault: 'connect', maybeDelivered: false });
  });

  test('headers of the configuration and userinfo are sent with the handshake', async () => {
    const { url, seen } = startRawSocketNode(echo);
    const { node } = open(`${url.replace('//', '//me:secret@')}/path?key=1`, { headers: { 'X-Key': 'k' } });
    expect(await node.send(read([1]))).toMatchObject({ ok: true });
    expect(seen.requests[0]).toStartWith('GET /path?key=1 HTTP/1.1\r\nHost: 127.0.0.1:');
    expect(seen.requests[0]).toContain('Authorization: Basic bWU6c2VjcmV0\r\nX-Key: k\r\nUpgrade: websocket');
    expect(seen.requests[0]).toMatch(/Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: [A-Za-z0-9+/]{22}==$/);
    expect(seen.requests[0]).not.toMatch(/extensions|protocol/i);
  });
});

describe('calls that share a connection', () => {
  /** Has one connection for `eth_call`. */
  async function connected(
    answer: Parameters<typeof startRawSocketNode>[0],
    options: Partial<SocketOptions> & RawSocketNodeOptions = {},
  ) {
    const raw = startRawSocketNode((asked, peer, text) => {
      if (asked.method === 'eth_gasPrice') echo(asked, peer);
      else answer(asked, peer, text);
    }, options);
    const opened = open(raw.url, options);
    await opened.node.send(read([], { method: 'eth_gasPrice' }));
    raw.seen.asked.length = 0;
    return { ...raw, ...opened };
  }

  test('calls of one turn of the event loop are written together', async () => {
    let pieces = 0;
    const { node, seen } = await connected((asked, peer) => {
      pieces = peer.pieces;
      echo(asked, peer);
    });
    const before = pieces;
    const replies = await Promise.all(Array.from({ length: 30 }, (_, nth) => node.send(read([nth]))));
    expect(replies.every(({ ok }) => ok)).toBe(true);
    expect(seen.asked).toHaveLength(30);
    expect(seen.connections).toBe(1);
    // The proof, the first call, and one write for all thirty.
    expect(pieces - before).toBeLessThanOrEqual(3);
  });

  test('a transaction and a slow read do not share one with quick reads', async () => {
    const peers = new Set<number>();
    const { node } = await connected((asked, peer) => {
      if (asked.method === 'eth_call') peers.add(peer.nth);
      echo(asked, peer);
    });
    expect(await node.send(write())).toMatchObject({ ok: true });
    expect(await node.send(read([1]))).toMatchObject({ ok: true });
    expect([...peers]).toEqual([1]);
    expect(node.stats().open).toBe(2);
  });

  test('calls that are lost with a connection are sent again once, unless they must not be repeated', async () => {
    let drops = 1;
    const { node, seen } = await connected((asked, peer) => {
      if (drops > 0) {
        drops--;
        peer.end();
      } else echo(asked, peer);
    });
    expect(withTexts(await Promise.all([1, 2, 3].map((nth) => node.send(read([nth])))))).toMatchObject(
      [1, 2, 3].map((nth) => ({ ok: true, answer: { raw: `[${nth}]` } })),
    );
    expect(seen.connections).toBe(2);
    drops = 1;
    seen.asked.length = 0;
    expect(await node.send(write())).toMatchObject({ ok: false, fault: 'broken', maybeDelivered: true });
    expect(seen.asked).toHaveLength(1);
    drops = 9;
    expect(await node.send(read([4]))).toMatchObject({ ok: false, maybeDelivered: true });
    expect(drops).toBe(7);
  });

  const wrong: readonly (readonly [string, (id: number) => Uint8Array])[] = [
    ['an answer under another id', (id) => frame(resultOf(id + 1_000, 1))],
    ['an answer twice', (id) => Buffer.concat([frame(resultOf(id, [1])), frame(resultOf(id, [1]))])],
    ['reserved bits', (id) => frame(resultOf(id, 1), { reserved: 4 })],
    ['a masked frame', (id) => frame(resultOf(id, 1), { mask: 1 })],
    ['half a frame', (id) => frame(resultOf(id, 1)).subarray(0, 20)],
    ['no JSON', () => frame('{"jsonrpc":')],
    ['a binary message', (id) => frame(resultOf(id, 1), { opcode: 2 })],
    ['a close', () => frame(Uint8Array.of(3, 233), { opcode: 8 })],
  ];
  test.each(wrong)('%s ends the connection, and answers no call', async (_what, bytes) => {
    let isWrong = true;
    const { node, seen } = await connected((asked, peer) => {
      if (!isWrong) echo(asked, peer);
      else {
        isWrong = false;
        peer.write(bytes(asked.id));
        if (_what === 'half a frame') peer.end();
      }
    });
    const replies = withTexts(await Promise.all([1, 2].map((nth) => node.send(read([nth])))));
    expect(replies).toMatchObject([1, 2].map((nth) => ({ ok: true, answer: { raw: `[${nth}]` } })));
    expect(seen.connections).toBe(2);
  });

  test('a call that timed out leaves the connection to the others, and its late answer is ignored', async () => {
    const late: (() => void)[] = [];
    const { node, seen } = await connected((asked, peer) => {
      if (JSON.stringify(asked.params) === '["late"]') late.push(() => echo(asked, peer));
      else echo(asked, peer);
    });
    const timedOut = await node.send(read(['late'], { timeoutMs: 30 }));
    expect(timedOut).toMatchObject({ ok: false, fault: 'timeout', maybeDelivered: true });
    for (const give of late) give();
    expect(withTexts(await node.send(read([2])))).toMatchObject({ answer: { raw: '[2]' } });
    expect(seen.connections).toBe(1);
  });

  test('a connection with many missing answers is replaced', async () => {
    const { node, seen } = await connected((asked, peer) => {
      if (peer.nth > 1) echo(asked, peer);
    });
    const lost = Array.from({ length: maxInFlight }, () => node.send(read([], { timeoutMs: 30, caller: undefined })));
    expect((await Promise.all(lost)).every((reply) => !reply.ok && reply.fault === 'timeout')).toBe(true);
    await node.send(read([], { timeoutMs: 30 }));
    expect(withTexts(await node.send(read([7])))).toMatchObject({ ok: true, answer: { raw: '[7]' } });
    expect(seen.connections).toBe(2);
  });

  test('an error without an id belongs to the call that is left when the others are answered', async () => {
    const delayed: (() => void)[] = [];
    const { node, seen } = await connected((asked, peer) => {
      if (JSON.stringify(asked.params) === '["strange"]')
        peer.say('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}');
      else delayed.push(() => echo(asked, peer));
      if (delayed.length === 3) for (const give of delayed) give();
    });
    const [strange, ...others] = await Promise.all([read(['strange']), read([1]), read([2]), read([3])].map(node.send));
    expect(strange).toMatchObject({ ok: false, fault: 'not-understood', maybeDelivered: true });
    expect(others.every(({ ok }) => ok)).toBe(true);
    expect(seen.connections).toBe(1);
  });

  test('a batch is one message, and a batch that is refused as a whole receives its error', async () => {
    const { node, seen } = await connected((asked, peer) =>
      peer.say(
        Array.isArray(asked) && asked.length === 2
          ? `[${asked
              .toReversed()
              .map(({ id, params }) => resultOf(id, params))
              .join()}]`
          : '{"jsonrpc":"2.0","id":null,"error":{"code":-32005,"message":"batch too large"}}',
      ),
    );
    const questions = [1, 2, 3].map((nth) => ({ method: 'eth_call', params: rangeOf(`[${nth}]`) }));
    const terms = { repeatable: true, caller: callerOf('alice') };
    const [two, three] = await Promise.all([
      node.sendBatch({ ...terms, questions: questions.slice(0, 2) }),
      node.sendBatch({ ...terms, questions }),
    ]);
    expect(withTexts(two)).toMatchObject({
      ok: true,
      answer: { kind: 'batch', answers: [{ raw: '[1]' }, { raw: '[2]' }] },
    });
    expect(withTexts(three)).toMatchObject({ ok: true, answer: { kind: 'error' } });
    expect(seen.asked).toEqual(['batch', 'batch']);
  });

  test('one user does not use all slots: other users are answered meanwhile (docs/decisions/0053)', async () => {
    const { node, seen } = await connected(
      (asked, peer) => {
        if (JSON.stringify(asked.params) !== '["slow"]') echo(asked, peer);
      },
      { maxConnections: 2 },
    );
    const slow = Array.from({ length: 3 * maxInFlight }, () => node.send(read(['slow'], { timeoutMs: 800 })));
    const other = await node.send(read([1], { caller: callerOf('bob'), timeoutMs: 700 }));
    expect(other).toMatchObject({ ok: true });
    expect(seen.asked.length).toBeLessThan(maxInFlight + 2);
    expect((await Promise.all(slow)).every(({ ok }) => !ok)).toBe(true);
  });

  test('after a release with drop no open connection carries another call', async () => {
    const { node, seen } = await connected(echo);
    node.release(true);
    expect(await node.send(read([1]))).toMatchObject({ ok: true });
    expect(seen.connections).toBe(2);
    await until('the first is closed', () => seen.open === 1);
  });

  describe('large answers', () => {
    const big = 'x'.repeat(200_000);
    const first = (id: number, result: string) => `{"jsonrpc":"2.0","id":${id},"result":"${result}"}`;
    const last = (id: number, result: string) => `{"jsonrpc":"2.0","result":"${result}","id":${id}}`;
    const spaced = (id: number, result: string) => `{ "jsonrpc" : "2.0" , "result" : "${result}" , "id" : ${id} }\n`;
    const pieces = (text: string, size: number) =>
      Array.from({ length: Math.ceil(text.length / size) }, (_, nth) => text.slice(nth * size, (nth + 1) * size));

    test.each([
      ['in one frame', (text: string) => frame(text)],
      ['in fragments', (text: string) => fragments(...pieces(text, 10_000))],
      ['in the smallest fragments', (text: string) => fragments(...pieces(text, minAverageFrameBytes))],
    ])('%s, with the id before or after the result: charged to their caller until released', async (_what, framed) => {
      const forms = [first, last, spaced];
      const { node, budget, seen } = await connected((asked, peer) => {
        const [form] = JSON.parse(JSON.stringify(asked.params));
        peer.write(framed((forms[form] ?? first)(asked.id, big)));
      });
      for (const form of [0, 1, 2]) {
        const reply = await node.send(read([form]));
        if (!reply.ok || reply.answer.kind !== 'buffered')
          throw new Error(`not buffered: ${JSON.stringify(withTexts(reply))}`);
        const { buffers, release } = reply.answer;
        expect(textOf(reply.answer)).toBe(`"${big}"`);
        expect(budget.reservedBytes).toBe(buffers[0]?.length ?? 0);
        release();
        expect([budget.reservedBytes, budget.owners]).toEqual([0, 0]);
      }
      expect(seen.connections).toBe(1);
    });

    test('a MiB byte by byte is parsed in time that is linear in its length', async () => {
      const { node, budget } = await connected(({ id }, peer) => {
        const bytes = frame(first(id, 'y'.repeat(1_048_576)));
        for (let at = 0; at < bytes.length; at += 1_024) peer.write(bytes.subarray(at, at + 1_024));
      });
      const reply = await node.send(read());
      expect(reply.ok && reply.answer.kind === 'buffered' && textOf(reply.answer).length).toBe(1_048_576 + 2);
      if (reply.ok && reply.answer.kind === 'buffered') reply.answer.release();
      expect(budget.reservedBytes).toBe(0);
    });

    test.each([
      ['no room for its caller', 2_500_000, 'owner-full'],
      ['too large', 3_500_000, 'too-large'],
    ])('%s: the call fails, and other calls on the connection continue', async (_what, size, fault) => {
      for (const form of [first, last]) {
        const { node, budget, seen } = await connected(
          (asked, peer) => {
            if (JSON.stringify(asked.params) === '["big"]') peer.write(frame(form(asked.id, 'z'.repeat(size))));
            else echo(asked, peer);
          },
          fault === 'too-large'
            ? { answerBudget: new ByteBudget({ totalBytes: 9_000_000, ownerBytes: 9_000_000 }) }
            : {},
        );
        const [full, other] = await Promise.all([
          node.send(read(['big'])),
          node.send(read([1], { caller: callerOf('bob') })),
        ]);
        const found = !full.ok && full.fault === 'all-full' ? 'owner-full' : full.ok ? '' : full.fault;
        expect([found, full.ok ? false : full.maybeDelivered]).toEqual([fault, true]);
        expect(other).toMatchObject({ ok: true });
        expect([budget.reservedBytes, seen.connections]).toEqual([0, 1]);
      }
    });

    test('a complete answer belongs to its caller, even if the connection is lost', async () => {
      const peers: SocketPeer[] = [];
      const { node, budget, seen } = await connected(({ id }, peer) => {
        peers.push(peer);
        peer.write(frame(first(id, big)));
      });
      const reply = await node.send(read());
      for (const peer of peers) peer.end();
      await until('the connection is gone', () => seen.open === 0);
      node.close();
      if (!reply.ok || reply.answer.kind !== 'buffered') throw new Error('not buffered');
      expect(textOf(reply.answer)).toBe(`"${big}"`);
      reply.answer.release();
      expect(budget.reservedBytes).toBe(0);
    });

    test('the buffer of an answer is released when its call is given up or its connection is lost', async () => {
      let peerOf: SocketPeer | undefined;
      const { node, budget } = await connected(({ id, params }, peer) => {
        if (JSON.stringify(params) !== '["half"]') {
          echo({ id, params }, peer);
          return;
        }
        peerOf = peer;
        peer.write(frame(first(id, big)).subarray(0, 150_000));
      });
      const reply = node.send(read(['half'], { timeoutMs: 400 }));
      await until('it is charged', () => budget.reservedBytes > 100_000);
      expect(await reply).toMatchObject({ fault: 'timeout' });
      expect(budget.reservedBytes).toBe(0);
      const second = node.send(read(['half'], { timeoutMs: 800 }));
      await until('it is charged again', () => budget.reservedBytes > 100_000);
      peerOf?.end();
      expect(await second).toMatchObject({ ok: false, maybeDelivered: true });
      expect([budget.reservedBytes, budget.owners]).toEqual([0, 0]);
    });

    test('an answer that is not UTF-8 ends the connection, and its call is not sent again', async () => {
      let bad = 0;
      const { node, seen, budget } = await connected((asked, peer) => {
        const [what] = JSON.parse(JSON.stringify(asked.params));
        if (what === 'small' || what === 'large') {
          bad++;
          const filler = what === 'small' ? 'a' : big;
          peer.write(
            frame(
              Buffer.concat([Buffer.from(first(asked.id, filler)).subarray(0, -3), Buffer.from([0xff, 0x22, 0x7d])]),
            ),
          );
        } else if (bad > 0) echo(asked, peer);
      });
      for (const what of ['small', 'large']) {
        bad = 0;
        const [other, poison] = await Promise.all([node.send(read([1])), node.send(read([what]))]);
        expect(poison).toMatchObject({ ok: false, maybeDelivered: true });
        expect(other).toMatchObject({ ok: true });
        expect(bad).toBe(1);
      }
      expect([seen.connections, budget.reservedBytes]).toEqual([3, 0]);
    });
  });
});
