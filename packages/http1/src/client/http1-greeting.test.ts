/** The greeting of new connections, and how waiting calls leave the queue. */
import { afterEach, describe, expect, test } from 'bun:test';
import { endAll, open, type Peer, reply, serve } from '@flowgate/testing/raw-http1-server';
import { until } from '@flowgate/testing/until';
import type { Greeting } from './http1-call.ts';

afterEach(endAll);

const greeting: Greeting = {
  body: 'who?',
  timeoutMs: 5_000,
  problem: (status, body) => (status === 200 && body === 'me' ? undefined : 'another server'),
};
const long = { timeoutMs: 10_000 };

/** Answers the greeting as `greet` says, and calls with their own text. */
function polite(greet: (peer: Peer) => void = (peer) => void peer.write(reply('me'))) {
  const calls: string[] = [];
  const server = serve((peer, { body }) => {
    if (body === greeting.body) return greet(peer);
    calls.push(body);
    peer.write(reply(body));
  });
  return { ...server, calls };
}

describe('a greeting', () => {
  test('is the first request on every connection, is sent once, and precedes every call', async () => {
    const order = new Map<Peer, string[]>();
    const { url } = serve((peer, { body }) => {
      order.set(peer, [...(order.get(peer) ?? []), body]);
      peer.write(reply(body === greeting.body ? 'me' : body));
    });
    const client = open(url, { greeting, maxConnections: 4 });
    const bodies = Array.from({ length: 40 }, (_, at) => String(at));
    const answers = await Promise.all(bodies.map((body) => client.post(body)));
    expect(answers).toEqual(bodies.map((body) => ({ ok: true, status: 200, body })));
    expect(order.size).toBe(4);
    for (const asked of order.values()) expect(asked.map((body) => body === greeting.body).indexOf(true, 1)).toBe(-1);
    for (const asked of order.values()) expect(asked[0]).toBe(greeting.body);
  });

  const failures: Record<string, readonly [(peer: Peer) => void, 'unfit' | 'connect']> = {
    'answered wrongly': [(peer) => void peer.write(reply('you')), 'unfit'],
    'answered with an error': [(peer) => void peer.write(reply('me').replace('200', '503')), 'unfit'],
    'answered with bytes that are not HTTP': [(peer) => void peer.write('SSH-2.0\r\n\r\n'), 'connect'],
    'answered by closing': [(peer) => void peer.end(), 'connect'],
    'not answered': [() => {}, 'connect'],
    'answered in part': [(peer) => void peer.write(reply('me').slice(0, -1)), 'connect'],
  };
  for (const [name, [greet, failure]] of Object.entries(failures))
    test(`${name} sends no byte of a call`, async () => {
      const { url, calls } = polite(greet);
      // Short only where the time-out decides: an answer may take longer on a busy machine.
      const timeoutMs = failure === 'unfit' ? greeting.timeoutMs : 30;
      const client = open(url, { greeting: { ...greeting, timeoutMs } });
      const replies = await Promise.all(['a', 'b', 'c'].map((body) => client.post(body)));
      expect(replies).toMatchObject([1, 2, 3].map(() => ({ ok: false, failure, sent: false })));
      expect(calls).toEqual([]);
      expect(client.stats()).toEqual({ open: 0, idle: 0, waiting: 0 });
    });

  test('is sent again on the connection after a lost one', async () => {
    let greetings = 0;
    const { url, calls, seen } = polite((peer) => {
      greetings++;
      peer.write(reply(greetings === 1 ? 'me' : 'you'));
    });
    const client = open(url, { greeting });
    expect(await client.post('a')).toMatchObject({ body: 'a' });
    seen.peers[0]?.end();
    await until(() => client.stats().open === 0);
    expect(await client.post('b')).toMatchObject({ failure: 'unfit', detail: 'another server', sent: false });
    expect([greetings, calls]).toEqual([2, ['a']]);
  });

  test('of a server that closes after every answer is valid for the connections of the next second', async () => {
    let greetings = 0;
    const close = 'Connection: close\r\n';
    const { url } = serve((peer, { body }) => {
      if (body === greeting.body) greetings++;
      peer.end(reply(body === greeting.body ? 'me' : body, close));
    });
    const client = open(url, { greeting });
    const statuses: boolean[] = [];
    for (let at = 0; at < 5; at++) statuses.push((await client.post('x')).ok);
    expect(statuses).toEqual([true, true, true, true, true]);
    expect(greetings).toBeLessThan(5);
  });
});

test('a connection whose greeting answer was not accepted carries no call', async () => {
  const { url, seen } = serve((peer, { body }) => void peer.write(reply(body)));
  const client = open(url, { maxConnections: 1 });
  const post = (body: string) =>
    client.post(body, { ...long, accepts: (_status, content) => content.text() !== 'strange' });
  const answers = await Promise.all(['a', 'strange', 'b', 'c'].map(post));
  expect(answers).toMatchObject(['a', 'strange', 'b', 'c'].map((body) => ({ ok: true, body })));
  expect(seen.connections).toBe(2);
});

describe('calls that wait for a connection', () => {
  /** One connection that stays busy until the test releases it. */
  function busy(more: object = {}) {
    const { url, seen } = serve((peer, { body }) => {
      if (body !== 'first') peer.write(reply(body));
    });
    const client = open(url, { maxConnections: 1, ...more });
    const first = client.post('first');
    return { client, seen, first, letGo: () => void seen.peers[0]?.write(reply('late')) };
  }

  test('end at once when they are released and may leave; the others stay', async () => {
    const { client, seen, first, letGo } = busy();
    await until(() => seen.requests === 1);
    const movable = client.post('movable', { ...long, canLeave: true });
    const staying = client.post('staying', long);
    client.release(false);
    expect(await movable).toMatchObject({ ok: false, failure: 'released', sent: false });
    letGo();
    expect([await first, await staying]).toMatchObject([{ body: 'late' }, { body: 'staying' }]);
    expect(seen.received).not.toContain('movable');
  });

  test('end after their waiting time, and have their whole time once they are sent', async () => {
    const armed: { ms: number; callback: () => void }[] = [];
    const byHand = {
      arm(ms: number, callback: () => void) {
        const deadline = { ms, callback };
        armed.push(deadline);
        return deadline;
      },
      disarm(deadline: { callback: () => void }) {
        armed.splice(0, armed.length, ...armed.filter((one) => one !== deadline));
      },
    };
    const { client, seen, first } = busy({ timerWheel: byHand });
    await until(() => seen.requests === 1);
    const second = client.post('second', { timeoutMs: 900, waitMs: 300 });
    const waiting = armed.find(({ ms }) => ms === 300);
    waiting?.callback();
    expect(await second).toMatchObject({ failure: 'overloaded', sent: false });
    client.close();
    expect(await first).toMatchObject({ failure: 'broken' });

    armed.length = 0;
    const other = busy({ timerWheel: byHand });
    other.client.post('late', { timeoutMs: 1, waitMs: 1 });
    const sent = open(serve(() => {}).url, { timerWheel: byHand }).post('sent', { timeoutMs: 900, waitMs: 301 });
    await until(() => other.seen.requests === 1);
    armed.find(({ ms }) => ms === 301)?.callback();
    const rest = armed.find(({ ms }) => ms === 599);
    expect(rest).toBeDefined();
    rest?.callback();
    expect(await sent).toMatchObject({ failure: 'timeout', sent: true });
  });

  test('end when their callers leave, and free their places in the queue', async () => {
    const { client, seen, first, letGo } = busy({ maxWaiting: 2 });
    await until(() => seen.requests === 1);
    const callers = [new AbortController(), new AbortController()];
    const waiting = callers.map(({ signal }, at) => client.post(`left ${at}`, { ...long, signal }));
    expect(await client.post('no room', long)).toMatchObject({ failure: 'overloaded' });
    for (const caller of callers) caller.abort();
    for (const reply of waiting) expect(await reply).toMatchObject({ failure: 'abandoned', sent: false });
    expect(client.stats().waiting).toBe(0);
    const gone = client.post('gone before', { ...long, signal: AbortSignal.abort() });
    expect(await gone).toMatchObject({ failure: 'abandoned', sent: false });
    const last = client.post('last', long);
    letGo();
    expect([await first, await last]).toMatchObject([{ body: 'late' }, { body: 'last' }]);
    for (const body of ['left', 'gone before']) expect(seen.received).not.toContain(body);
  });

  test("do not read their caller's signal when a connection is free", async () => {
    const { url } = serve((peer, { body }) => void peer.write(reply(body)));
    const client = open(url);
    await client.post('warm');
    let looked = 0;
    const call = {
      ...long,
      get signal(): undefined {
        looked++;
        return undefined;
      },
    };
    expect(await client.post('x', call)).toMatchObject({ body: 'x' });
    expect(looked).toBe(0);
  });
});

test('after a release with drop, the next call begins on a new connection, and the busy one closes after its answer', async () => {
  let slowPeer: Peer | undefined;
  const { url, seen } = serve((peer, { body }) => {
    if (body === 'slow') slowPeer = peer;
    else peer.write(reply(body));
  });
  const client = open(url);
  await Promise.all([client.post('a'), client.post('b')]);
  const slow = client.post('slow');
  await until(() => seen.requests === 3);
  client.release(true);
  await until(() => client.stats().open === 1);
  expect(await client.post('c')).toMatchObject({ body: 'c' });
  expect(seen.connections).toBe(3);
  slowPeer?.write(reply('late'));
  expect(await slow).toMatchObject({ body: 'late' });
  expect(client.stats()).toEqual({ open: 1, idle: 1, waiting: 0 });
});
