/**
 * Several calls in flight on one connection (docs/decisions/0067). Each gets its own answer, none is lost, and only
 * calls that may be pipelined are sent twice.
 */
import { afterEach, describe, expect, test } from 'bun:test';
import { ByteBudget } from '@flowgate/bytes/byte-budget';
import type { ByteRange } from '@flowgate/bytes/byte-range';
import { openPipelining, pipeliningServer, quick, withPipelines } from '@flowgate/testing/pipelining-server';
import { endAll, type Peer, reply } from '@flowgate/testing/raw-http1-server';
import { until } from '@flowgate/testing/until';
import fc from 'fast-check';
import type { Http1Reply } from '../http1-call.ts';
import type { Http1Client } from '../http1-client.ts';
import { maxPipelined, maxPipelines } from './http1-pipelines.ts';

afterEach(endAll);

const names = (count: number, name = 'call') => Array.from({ length: count }, (_, nth) => `${name} ${nth}`);
const postAll = (client: Http1Client, bodies: readonly string[], more = {}) =>
  Promise.all(bodies.map((body) => client.post(body, quick(body, more))));
const answered = (bodies: readonly string[]): Http1Reply[] => bodies.map((body) => ({ ok: true, status: 200, body }));

describe('calls that may be pipelined', () => {
  test('share a few connections, and each gets its own answer', async () => {
    const server = pipeliningServer();
    const { client, off } = openPipelining(server.url);
    await withPipelines(server, client, maxPipelines);
    const before = server.seen.connections;
    server.state.answersAtOnce = false;
    const bodies = names(64);
    const replies = postAll(client, bodies);
    await until(() => server.busy().reduce((sum, { waiting }) => sum + waiting.length, 0) === 64);
    // Calls are spread evenly, so that each waits behind as few as possible.
    expect(server.busy().map(({ waiting }) => waiting.length)).toEqual(new Array(maxPipelines).fill(8));
    expect(server.seen.connections).toBe(before);
    for (const line of server.busy()) while (line.waiting.length > 0) server.answer(line);
    expect(await replies).toEqual(answered(bodies));
    expect(off).toEqual([]);
  });

  test('are sent alone when all pipelines are full, and no call waits behind more than fifteen others', async () => {
    const server = pipeliningServer();
    const { client } = openPipelining(server.url);
    await withPipelines(server, client, maxPipelines);
    server.state.answersAtOnce = false;
    const bodies = names(maxPipelines * maxPipelined + 10);
    const replies = postAll(client, bodies);
    await until(() => server.busy().reduce((sum, { waiting }) => sum + waiting.length, 0) === bodies.length);
    const loads = server.busy().map(({ waiting }) => waiting.length);
    expect(loads.sort((a, b) => b - a)).toEqual([
      ...new Array(maxPipelines).fill(maxPipelined),
      ...new Array(10).fill(1),
    ]);
    for (const line of server.busy()) while (line.waiting.length > 0) server.answer(line);
    expect(await replies).toEqual(answered(bodies));
  });

  test('of one owner leave a quarter of the slots to others, as with connections (docs/decisions/0053)', async () => {
    const server = pipeliningServer();
    const { client } = openPipelining(server.url, { maxConnections: 8 });
    await withPipelines(server, client, 2);
    server.state.answersAtOnce = false;
    const slow = names(32, 'mallory');
    const replies = postAll(client, slow, { owner: 'mallory' });
    const pipelined = () =>
      server
        .busy()
        .filter(({ isShared }) => isShared)
        .reduce((sum, { waiting }) => sum + waiting.length, 0);
    await until(() => pipelined() === 24);
    const other = client.post('alice', quick('alice', { owner: 'alice' }));
    await until(() => pipelined() === 25);
    server.state.answersAtOnce = true;
    for (const line of server.busy()) while (line.waiting.length > 0) server.answer(line);
    expect(await other).toMatchObject({ body: 'alice' });
    expect(await replies).toEqual(answered(slow));
  });

  test('behind a slow call are few: later calls use other connections', async () => {
    const server = pipeliningServer();
    const { client } = openPipelining(server.url);
    await withPipelines(server, client, maxPipelines);
    server.state.answersAtOnce = false;
    const slow = client.post('slow', quick('slow'));
    await until(() => server.busy().length === 1);
    const [slowLine] = server.busy();
    const others = names(maxPipelines - 1);
    const replies = postAll(client, others);
    await until(() => server.busy().length === maxPipelines);
    expect(slowLine?.waiting).toEqual(['slow']);
    for (const line of server.busy()) if (line !== slowLine) server.answer(line);
    expect(await replies).toEqual(answered(others));
    for (const line of server.busy()) server.answer(line);
    expect(await slow).toMatchObject({ body: 'slow' });
  });
});

test('behind a slow call do not wait for long: they are sent on another connection, once, and the slow call gets its answer', async () => {
  const server = pipeliningServer();
  const { client, off } = openPipelining(server.url);
  await withPipelines(server, client, 1);
  server.state.answersAtOnce = false;
  const slow = client.post('slow', quick('slow'));
  const bodies = names(40);
  const replies = postAll(client, bodies);
  await until(() => server.asked.size >= 42);
  const isSlow = ({ waiting }: { waiting: string[] }) => waiting[0] === 'slow';
  server.state.answersAtOnce = true;
  const [slowLine] = server.busy().filter(isSlow);
  const behind = slowLine?.waiting.length ?? 0;
  expect(behind).toBeGreaterThan(1);
  for (const line of server.busy()) if (line !== slowLine) while (line.waiting.length > 0) server.answer(line);
  server.lines.forEach((line) => void (line !== slowLine && line.waiting.splice(0)));
  expect(await replies).toEqual(answered(bodies));
  expect(bodies.filter((body) => server.asked.get(body) === 2)).toHaveLength(behind - 1);
  if (slowLine !== undefined) while (slowLine.waiting.length > 0) server.answer(slowLine);
  expect(await slow).toMatchObject({ body: 'slow' });
  expect(server.asked.get('slow')).toBe(1);
  expect(off).toEqual([]);
});

test('with bodies of many bytes and of any characters are sent complete, at any reading speed of the server', async () => {
  const server = pipeliningServer();
  const { client } = openPipelining(server.url, { maxConnections: 4 });
  await withPipelines(server, client, 1);
  const lines = [...server.lines.values()];
  for (const { peer } of lines) peer.pause();
  const bodies = names(400, `é€😀 ${'ü'.repeat(8_000)}`);
  const replies = postAll(client, bodies, { timeoutMs: 60_000 });
  for (const { peer } of lines) peer.resume();
  expect(await replies).toEqual(answered(bodies));
  expect(server.pipelined()).toBeGreaterThan(10);
});

test('with large answers are charged to the owner of each, and an answer without room fails no other call', async () => {
  const answerBudget = new ByteBudget({ totalBytes: 10_000_000, ownerBytes: 150_000 });
  const large = 'x'.repeat(100_000);
  const server = pipeliningServer();
  const { client, off } = openPipelining(server.url, { answerBudget });
  await withPipelines(server, client, 1);
  server.onAsked((peer, body) => void peer.write(reply(body.startsWith('large') ? large : body)));
  const post = (body: string, owner: string) => client.post(body, quick(body, { owner }));
  const replies = await Promise.all([
    ...names(3, 'large').map((body) => post(body, 'alice')),
    ...names(1, 'large').map((body) => post(body, 'bob')),
    ...names(20).map((body) => post(body, 'carol')),
  ]);
  const buffered = replies.flatMap((each) => (each.ok && each.buffered !== undefined ? [each.buffered] : []));
  expect(buffered.map(({ length }) => length)).toEqual([100_000, 100_000]);
  expect(answerBudget.reservedBytes).toBe(200_000);
  expect(replies.filter((each) => !each.ok && each.failure === 'owner-full')).toHaveLength(2);
  expect(replies.slice(4)).toEqual(answered(names(20)));
  for (const each of buffered) each.release();
  expect(answerBudget.reservedBytes).toBe(0);
  expect(off).toEqual([]);
});

test('every other call has a connection for itself, with no call before it or behind it', async () => {
  const server = pipeliningServer();
  const { client } = openPipelining(server.url);
  await withPipelines(server, client, 2);
  server.state.answersAtOnce = false;
  const alone = names(5, 'alone');
  const aloneReplies = alone.map((body) => client.post(body));
  const bodies = names(40);
  const replies = postAll(client, bodies);
  await until(() => server.asked.size >= 45 + 2);
  for (const body of alone) expect([...server.shared]).not.toContain(body);
  for (const line of server.busy()) while (line.waiting.length > 0) server.answer(line);
  expect(await Promise.all(aloneReplies)).toEqual(answered(alone));
  expect(await replies).toEqual(answered(bodies));
});

describe('a pipeline that closes', () => {
  type Break = (peer: Peer, body: string) => void;
  const breaks: Readonly<Record<string, Break>> = {
    'ends before an answer': (peer) => peer.end(),
    'is reset before an answer': (peer) => peer.terminate(),
    'ends in the head of an answer': (peer, body) => {
      peer.write(reply(body).slice(0, 20));
      peer.end();
    },
    'ends in the body of an answer': (peer, body) => {
      peer.write(reply(body).slice(0, -1));
      peer.end();
    },
    'closes behind an answer': (peer, body) => {
      peer.write(reply(body, 'Connection: close\r\n'));
      peer.end();
    },
    'announces that it closes, and does not': (peer, body) => void peer.write(reply(body, 'Connection: close\r\n')),
    'answers with bytes that are not HTTP': (peer) => void peer.write('SSH-2.0-OpenSSH_9.6\r\n'),
    'adds bytes to an answer': (peer, body) => void peer.write(`${reply(body)}!`),
    'answers twice': (peer, body) => void peer.write(reply(body) + reply(body)),
    "answers with the next one's": (peer) => void peer.write(reply('call 7')),
  };
  for (const [name, breakAt] of Object.entries(breaks))
    test(`because the server ${name}: every call gets its answer, and is sent again at most once, and then alone`, async () => {
      for (const answers of [0, 1, 3, 7]) {
        const server = pipeliningServer();
        const { client } = openPipelining(server.url, { maxConnections: 20 });
        await withPipelines(server, client, 1);
        server.state.answersAtOnce = false;
        const bodies = names(8);
        const replies = postAll(client, bodies);
        await until(() => server.busy().some(({ waiting }) => waiting.length > 0) && server.asked.size >= 8);
        server.state.answersAtOnce = true;
        const [first] = server.busy();
        for (let nth = 0; nth < answers && first !== undefined; nth++) server.answer(first);
        const broken = first?.waiting[0];
        if (first !== undefined && broken !== undefined) breakAt(first.peer, broken);
        for (const line of server.busy()) if (line !== first) while (line.waiting.length > 0) server.answer(line);
        expect(await replies).toEqual(answered(bodies));
        for (const body of bodies) expect(server.asked.get(body)).toBeLessThanOrEqual(2);
        client.close();
      }
    });

  test('because a call timed out: only that call fails', async () => {
    const server = pipeliningServer();
    const { client, off } = openPipelining(server.url);
    await withPipelines(server, client, 1);
    server.state.answersAtOnce = false;
    const late = client.post('late', quick('late', { timeoutMs: 100 }));
    const bodies = names(20);
    const replies = postAll(client, bodies);
    await until(() => server.asked.size >= 21);
    server.state.answersAtOnce = true;
    const isLate = (line: { waiting: string[] }) => line.waiting[0] === 'late';
    for (const line of server.busy()) while (!isLate(line) && line.waiting.length > 0) server.answer(line);
    expect(await late).toMatchObject({ ok: false, failure: 'timeout', sent: true });
    expect(await replies).toEqual(answered(bodies));
    expect(server.asked.get('late')).toBe(1);
    expect(off).toEqual([]);
  });

  test('because an answer is too large: only that call fails', async () => {
    const server = pipeliningServer();
    const { client, off } = openPipelining(server.url, { maxResponseBytes: 1_000 });
    await withPipelines(server, client, 1);
    server.state.answersAtOnce = false;
    const bodies = names(6);
    const replies = postAll(client, bodies);
    await until(() => server.asked.size >= 6 + 1);
    const [line] = server.busy().filter(({ waiting }) => waiting.length > 1);
    server.state.answersAtOnce = true;
    const large = line?.waiting[0];
    line?.peer.write(reply('x'.repeat(1_001)));
    for (const each of server.busy()) if (each !== line) while (each.waiting.length > 0) server.answer(each);
    for (const [nth, answer] of (await replies).entries())
      expect(answer).toMatchObject(
        bodies[nth] === large ? { failure: 'too-large', status: 200 } : { body: bodies[nth] ?? '' },
      );
    expect(server.asked.get(large ?? '')).toBe(1);
    expect(off).toEqual([]);
  });

  test('because the server cannot read one call: the others are answered, and pipelining stays enabled', async () => {
    const server = pipeliningServer();
    const { client, off } = openPipelining(server.url);
    await withPipelines(server, client, 1);
    server.onAsked((peer, body) => void peer.write(reply(body === 'unreadable' ? 'what?' : body)));
    const bodies = names(12);
    for (let round = 0; round < 4; round++) {
      const isRefusal = (content: ByteRange) => content.text() === 'what?';
      const unreadable = client.post('unreadable', quick('unreadable', { isRefusal }));
      expect(await postAll(client, bodies)).toEqual(answered(bodies));
      expect(await unreadable).toMatchObject({ body: 'what?' });
    }
    expect(server.shared).toContain('unreadable');
    expect(off).toEqual([]);
  });

  test('with its client: every call ends, once', async () => {
    const server = pipeliningServer();
    const { client } = openPipelining(server.url);
    await withPipelines(server, client, 2);
    server.state.answersAtOnce = false;
    const replies = postAll(client, names(10));
    await until(() => server.busy().length > 0);
    client.close();
    for (const each of await replies) expect(each).toMatchObject({ ok: false, failure: 'broken' });
    expect(client.stats().open).toBe(0);
  });
});

test('after a release with drop, no open pipeline carries another call; calls in progress are answered', async () => {
  const server = pipeliningServer();
  const { client } = openPipelining(server.url);
  await withPipelines(server, client, 2);
  server.state.answersAtOnce = false;
  const bodies = names(4);
  const replies = postAll(client, bodies);
  await until(() => server.busy().length > 0);
  const old = new Set(server.lines.keys());
  client.release(true);
  server.state.answersAtOnce = true;
  expect(await client.post('later', quick('later'))).toMatchObject({ body: 'later' });
  expect([...server.lines].filter(([peer]) => !old.has(peer))).not.toEqual([]);
  for (const line of server.busy()) while (line.waiting.length > 0) server.answer(line);
  expect(await replies).toEqual(answered(bodies));
  await until(() => [...old].every((peer) => peer.readyState !== 1));
});

const misbehaviors: readonly ((peer: Peer, body: string) => void)[] = [
  (peer, body) => void peer.write(reply(body)),
  (peer, body) => void peer.write(reply(body)),
  (peer, body) => {
    for (const each of [reply(body).slice(0, 30), reply(body).slice(30)]) peer.write(each);
  },
  (peer) => peer.terminate(),
  (peer, body) => {
    peer.write(reply(body).slice(0, -2));
    peer.end();
  },
  (peer, body) => void peer.write(reply(body, 'Connection: close\r\n')),
  (peer, body) => void peer.write(`${reply(body)}HTTP/1.1 200 OK\r\n`),
  (peer) => void peer.write(reply('no call')),
  (peer, body) => void peer.write(`HTTP/1.1 503 Away\r\nContent-Length: ${body.length}\r\n\r\n${body}`),
  () => {},
];

test('for any behavior of the server, every call ends once, in its own answer or a failure, and is sent at most as often as allowed', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.boolean(), fc.nat(misbehaviors.length - 1)), { minLength: 20, maxLength: 60 }),
      async (script) => {
        const server = pipeliningServer();
        const { client } = openPipelining(server.url, { maxConnections: 20 });
        await withPipelines(server, client, 3);
        const doing = new Map(script.map(([, what], nth) => [`call ${nth}`, misbehaviors[what]]));
        server.onAsked((peer, body) => {
          // The second request is answered, so that the test sees the outcome of the first.
          if (server.asked.get(body) === 1) doing.get(body)?.(peer, body);
          else peer.write(reply(body));
        });
        const replies = await Promise.all(
          script.map(([mayPipeline], nth) =>
            client.post(`call ${nth}`, quick(`call ${nth}`, { mayPipeline, timeoutMs: 150 })),
          ),
        );
        for (const [nth, each] of replies.entries()) {
          const body = `call ${nth}`;
          const mayPipeline = script[nth]?.[0] === true;
          if (each.ok && each.status === 200 && each.body !== 'no call') expect(each.body).toBe(body);
          if (each.ok && mayPipeline && each.body === 'no call') expect(server.shared).not.toContain(body);
          const times = server.asked.get(body) ?? 0;
          expect(times).toBeLessThanOrEqual(mayPipeline ? 2 : 1);
          if (!mayPipeline) expect(server.shared).not.toContain(body);
          if (!each.ok && !each.sent) expect(times).toBe(0);
        }
        client.close();
      },
    ),
    { numRuns: 20, endOnFailure: true },
  );
});

describe('a server that does not pipeline gets one request at a time', () => {
  const trials: Readonly<Record<string, (peer: Peer, body: string) => void>> = {
    'answers the first of several requests and closes': (peer, body) => {
      peer.write(reply(body, 'Connection: close\r\n'));
      peer.end();
    },
    'answers only the first of several requests': (peer, body) => void (body === 'trial 0' && peer.write(reply(body))),
    'answers out of order': (peer, body) => {
      if (body === 'trial 0') peer.write(reply(body));
      if (body === 'trial 2') peer.write(reply('trial 2') + reply('trial 1'));
    },
  };
  for (const [name, onTrial] of Object.entries(trials))
    test(`one that ${name}`, async () => {
      const server = pipeliningServer(onTrial);
      const { client, off } = openPipelining(server.url, {}, 200);
      const bodies = names(10);
      await until('it was noticed', async () => {
        expect(await postAll(client, bodies)).toEqual(answered(bodies));
        return off.length > 0;
      });
      const { trials } = server.state;
      expect(await postAll(client, bodies)).toEqual(answered(bodies));
      expect(server.state.trials).toBe(trials);
      expect([...server.shared]).toEqual([]);
      expect(off).toHaveLength(1);
    });

  test('a server that answers out of order later', async () => {
    const server = pipeliningServer();
    const { client, off } = openPipelining(server.url);
    await withPipelines(server, client, 1);
    server.state.answersAtOnce = false;
    const bodies = names(4);
    const replies = postAll(client, bodies);
    await until(() => server.busy().some(({ waiting }) => waiting.length > 1));
    const [line] = server.busy().filter(({ waiting }) => waiting.length > 1);
    server.state.answersAtOnce = true;
    line?.peer.write(reply(line.waiting[1] ?? '') + reply(line.waiting[0] ?? ''));
    for (const each of server.busy()) if (each !== line) while (each.waiting.length > 0) server.answer(each);
    expect(await replies).toEqual(answered(bodies));
    expect(off).toEqual(['an answer did not belong to the oldest request']);
  });

  test('a server that closes repeatedly with calls in progress', async () => {
    const server = pipeliningServer();
    const { client, off } = openPipelining(server.url);
    await until('it was noticed', async () => {
      await until(() => off.length > 0 || client.stats().open > 0 || server.state.trials === 0);
      const bodies = names(12);
      server.state.answersAtOnce = false;
      const replies = postAll(client, bodies);
      await until(() => server.busy().length > 0);
      for (const line of server.busy()) if (line.isShared) line.peer.end();
      server.state.answersAtOnce = true;
      for (const line of server.busy()) while (line.waiting.length > 0) server.answer(line);
      expect(await replies).toEqual(answered(bodies));
      return off.length > 0;
    });
    expect(off).toEqual(['connections were closed with requests in progress']);
  });

  test('and pipelining is tried again after a while', async () => {
    const armed: { ms: number; run: () => void }[] = [];
    const byHand = {
      arm: (ms: number, callback: () => void) => {
        armed.push({ ms, run: callback });
        return { callback };
      },
      disarm: () => {},
    };
    let isBetter = false;
    const server = pipeliningServer((peer, body) => {
      if (isBetter || body === 'trial 0') peer.write(reply(body));
      else peer.end();
    });
    const { client, off } = openPipelining(server.url, { timerWheel: byHand });
    await until('it was noticed', async () => {
      await postAll(client, names(4));
      return off.length > 0;
    });
    isBetter = true;
    const before = server.state.trials;
    await postAll(client, names(4));
    expect(server.state.trials).toBe(before);
    for (const { ms, run } of armed) if (ms === 600_000) run();
    await until('it is tried again', async () => {
      await postAll(client, names(4));
      return client.stats().open > 4 && server.state.trials > before;
    });
    expect(off).toHaveLength(1);
  });
});
