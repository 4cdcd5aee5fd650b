/** No owner's calls use up all of a client's connections, or all of its waiting places. */
import { afterEach, expect, test } from 'bun:test';
import { endAll, open, type Peer, reply, serve } from '@flowgate/testing/raw-http1-server';
import { until } from '@flowgate/testing/until';
import fc from 'fast-check';

afterEach(endAll);

/**
 * A server that answers requests beginning with `quick` at once, and all others when the test calls `letGo` or
 * `finish`.
 */
function patient() {
  const pending: { peer: Peer; body: string }[] = [];
  const server = serve((peer, { body }) => {
    if (body.startsWith('quick')) peer.write(reply(body));
    else pending.push({ peer, body });
  });
  const letGo = (nth: number, closing = false) => {
    const [one] = pending.splice(nth, 1);
    one?.peer.write(reply(one.body, closing ? 'Connection: close\r\n' : ''));
    if (closing) one?.peer.end();
  };
  /** Answers the pending requests, and those that arrive meanwhile, until all replies have arrived. */
  const finish = async <Reply>(replies: readonly Promise<Reply>[], closing = true): Promise<Reply[]> => {
    let isOver = false;
    const all = Promise.all(replies).finally(() => {
      isOver = true;
    });
    for (let nth = 0; !isOver; nth++) {
      letGo(0, closing && nth % 3 === 0);
      await until(() => isOver || pending.length > 0);
    }
    return all;
  };
  return { ...server, pending: pending, letGo, finish };
}

const of = (owner: string | undefined, timeoutMs = 10_000) => ({ owner, timeoutMs });

test('slow calls of one owner leave a quarter of the connections free, and those of the next owner a quarter of the rest', async () => {
  const { url, pending, finish } = patient();
  const client = open(url, { maxConnections: 16 });
  const post = (owner: string, count: number) =>
    Array.from({ length: count }, (_, nth) => client.post(`slow ${owner} ${nth}`, of(owner)));
  const slow = post('mallory', 40);
  await until(() => pending.length === 12);
  expect(await client.post('quick', of('alice'))).toMatchObject({ body: 'quick' });
  slow.push(...post('trudy', 40));
  await until(() => pending.length === 15);
  for (const owner of ['alice', undefined])
    expect(await client.post('quick', of(owner))).toMatchObject({ body: 'quick' });
  expect(client.stats()).toMatchObject({ waiting: 80 - 15 });
  expect(pending).toHaveLength(15);
  for (const [nth, answer] of (await finish(slow)).entries())
    expect(answer).toMatchObject({ body: nth < 40 ? `slow mallory ${nth}` : `slow trudy ${nth - 40}` });
});

test('waiting calls of one owner leave a quarter of the waiting places free', async () => {
  const { url, pending, finish } = patient();
  const client = open(url, { maxConnections: 1, maxWaiting: 8 });
  const slow = Array.from({ length: 12 }, (_, nth) => client.post(`slow ${nth}`, of('mallory')));
  await until(() => pending.length === 1);
  expect(client.stats()).toMatchObject({ waiting: 6 });
  const quick = client.post('quick', of('alice'));
  expect(client.stats()).toMatchObject({ waiting: 7 });
  const answers = await finish(slow);
  expect(await quick).toMatchObject({ body: 'quick' });
  expect(answers.map((answer): string => (answer.ok ? 'answered' : answer.failure))).toEqual([
    ...new Array<string>(7).fill('answered'),
    ...new Array<string>(5).fill('overloaded'),
  ]);
});

test("a failed connection attempt fails the call that it was for, and no call that waits for its owner's share", async () => {
  const { url, pending, finish, refuse } = patient();
  const client = open(url, { maxConnections: 16 });
  const slow = Array.from({ length: 40 }, (_, nth) => client.post(`slow ${nth}`, of('mallory')));
  await until(() => pending.length === 12);
  refuse();
  const refused = await Promise.all([1, 2].map(() => client.post('quick', of('alice'))));
  expect(refused).toMatchObject([1, 2].map(() => ({ ok: false, failure: 'connect', sent: false })));
  expect(client.stats()).toMatchObject({ open: 12, waiting: 28 });
  expect(await finish(slow, false)).toMatchObject(slow.map((_, nth) => ({ body: `slow ${nth}` })));
});

test('for any callers and any order of answers, every call is answered once, and no call waits while a connection is free for it', async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('post' as const), owner: fc.constantFrom('a', 'b', 'c', undefined) }),
    fc.record({ kind: fc.constantFrom('answer' as const, 'close' as const), nth: fc.nat(30) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 9 }), fc.array(step, { maxLength: 60 }), async (max, steps) => {
      const { url, seen, pending, letGo, finish } = patient();
      const client = open(url, { maxConnections: max });
      const replies: Promise<unknown>[] = [];
      for (const one of steps) {
        if (one.kind === 'post') replies.push(client.post(`slow ${replies.length}`, of(one.owner)));
        else {
          await Bun.sleep(0);
          if (pending.length > 0) letGo(one.nth % pending.length, one.kind === 'close');
        }
      }
      expect(await finish(replies)).toEqual(replies.map((_, nth) => ({ ok: true, status: 200, body: `slow ${nth}` })));
      expect(seen.requests).toBe(replies.length);
      endAll();
    }),
    { numRuns: 100 },
  );
});
