import { beforeEach, expect, test } from 'bun:test';
import type { PubSub } from '@flowgate/async/pub-sub';
import { Unavailable } from '@flowgate/base/unavailable';
import { createInProcessPubSub } from '@flowgate/testing/in-process-pub-sub';
import { quietLog } from '@flowgate/testing/quiet-log';
import { until } from '@flowgate/testing/until';
import fc from 'fast-check';
import { flowEvent } from './event-store.contract.ts';
import type { EventStore } from './event-store.ts';
import { createSessionWatch, sessionTopic } from './session-watch.ts';

let stored: Map<string, number>;
let reads: number;
let isUnavailable: boolean;
beforeEach(() => {
  stored = new Map();
  reads = 0;
  isUnavailable = false;
});

/** A storage shared by all nodes of a test. A read returns the state at the time of the call, but resolves later. */
const events: Pick<EventStore, 'eventsAfter' | 'lastSequences'> = {
  async eventsAfter(sessionId, after, limit) {
    reads += 1;
    if (isUnavailable) throw new Unavailable('database', 'unavailable');
    const left = Math.max(0, (stored.get(sessionId) ?? 0) - after);
    const count = Math.min(limit, left);
    const found = Array.from({ length: count }, (_, at) => flowEvent(after + at + 1, { sessionId }));
    await Promise.resolve();
    return { events: found, hasMore: left > count };
  },
  async lastSequences(sessionIds) {
    if (isUnavailable) throw new Unavailable('database', 'unavailable');
    return new Map(sessionIds.flatMap((id) => (stored.has(id) ? [[id, stored.get(id) ?? 0] as const] : [])));
  },
};

const node = (pubSub?: PubSub) => createSessionWatch({ events, pubSub, log: quietLog(), pollMs: 600_000 });
const append = (sessionId: string, count = 1) => stored.set(sessionId, (stored.get(sessionId) ?? 0) + count);
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
const collect = () => {
  const got: number[] = [];
  return {
    got,
    take: (found: readonly { readonly sequence: number }[]) => got.push(...found.map((e) => e.sequence)) > 0,
  };
};
const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, at) => first + at);

test('a follower gets existing and new events after its position, each once and in order', async () => {
  const watch = node();
  append('s', 3);
  const [all, later] = [collect(), collect()];
  watch.follow('s', 0, all.take);
  watch.follow('s', 2, later.take);
  await settled();
  append('s', 2);
  watch.changed('s');
  watch.changed('other');
  await settled();
  expect(all.got).toEqual(upTo(5));
  expect(later.got).toEqual(upTo(5, 3));
});

test('a long history is delivered completely, page by page', async () => {
  append('s', 1_050);
  const one = collect();
  node().follow('s', 0, one.take);
  await until(() => one.got.length >= 1_050);
  expect(one.got).toEqual(upTo(1_050));
});

test('a hundred followers of one session cost one read for each commit', async () => {
  const watch = node();
  const followers = Array.from({ length: 100 }, collect);
  for (const { take } of followers) watch.follow('s', 0, take);
  await settled();
  reads = 0;
  append('s');
  watch.changed('s');
  await settled();
  expect(reads).toBe(1);
  expect(followers.map(({ got }) => got)).toEqual(Array(100).fill([1]));
});

test('a paused follower gets nothing until it resumes, and then everything that it missed', async () => {
  const watch = node();
  const [slow, fast] = [collect(), collect()];
  const following = watch.follow('s', 0, (found) => {
    slow.take(found);
    return false;
  });
  watch.follow('s', 0, fast.take);
  for (let at = 0; at < 3; at++) {
    append('s');
    watch.changed('s');
    await settled();
  }
  expect(slow.got).toEqual([1]);
  expect(fast.got).toEqual([1, 2, 3]);
  following.resume();
  await settled();
  expect(slow.got).toEqual([1, 2, 3]);
});

test('a stopped follower gets nothing more, and no state of it remains', async () => {
  const watch = node();
  const one = collect();
  const following = watch.follow('s', 0, one.take);
  await settled();
  following.stop();
  following.stop();
  append('s');
  reads = 0;
  watch.changed('s');
  await watch.poll();
  await settled();
  expect(one.got).toEqual([]);
  expect(reads).toBe(0);
});

test("another node's commit arrives by pub/sub; after a lost message, reconnection or polling delivers the events (contract/many-gateways)", async () => {
  const connect = createInProcessPubSub();
  const [herePubSub, therePubSub] = [connect(), connect()];
  const [here, there] = [node(herePubSub), node(therePubSub)];
  const stop = here.start();
  const one = collect();
  here.follow('s', 0, one.take);
  await settled();
  append('s');
  there.changed('s');
  await settled();
  expect(one.got).toEqual([1]);
  herePubSub.disconnect();
  append('s');
  there.changed('s');
  await settled();
  expect(one.got).toEqual([1]);
  herePubSub.reconnect();
  await settled();
  expect(one.got).toEqual([1, 2]);
  append('s');
  await here.poll();
  await settled();
  expect(one.got).toEqual([1, 2, 3]);
  for (const odd of [null, 7, {}, { sessionId: 7 }, { sessionId: 'unknown' }])
    therePubSub.publish(sessionTopic, odd as Readonly<Record<string, number>>);
  await settled();
  stop();
  append('s');
  there.changed('s');
  await settled();
  expect(one.got).toEqual([1, 2, 3]);
});

test('an unavailable storage loses no event: the next read delivers what was missed', async () => {
  const watch = node();
  const one = collect();
  watch.follow('s', 0, one.take);
  await settled();
  isUnavailable = true;
  append('s', 2);
  watch.changed('s');
  await watch.poll();
  await settled();
  expect(one.got).toEqual([]);
  isUnavailable = false;
  await watch.poll();
  await settled();
  expect(one.got).toEqual([1, 2]);
});

test('after a failed read the next one does not wait for the regular poll', async () => {
  const watch = createSessionWatch({ events, pubSub: undefined, log: quietLog(), pollMs: 600_000, retryMs: 1 });
  const stop = watch.start();
  const one = collect();
  watch.follow('s', 0, one.take);
  await settled();
  isUnavailable = true;
  append('s', 2);
  watch.changed('s');
  await settled();
  isUnavailable = false;
  // No further notification arrives.
  await until(() => one.got.length >= 2);
  expect(one.got).toEqual([1, 2]);
  stop();
});

test('over random histories, every follower sees each event of a session once and without gaps', async () => {
  const acts = fc.array(
    fc.oneof(
      fc.record({
        act: fc.constant('append' as const),
        count: fc.integer({ min: 1, max: 150 }),
        reported: fc.boolean(),
      }),
      fc.record({ act: fc.constant('follow' as const), after: fc.integer({ min: 0, max: 200 }), paused: fc.boolean() }),
      fc.record({ act: fc.constant('resume' as const) }),
      fc.record({ act: fc.constant('unavailable' as const) }),
      fc.record({ act: fc.constant('settle' as const) }),
    ),
    { maxLength: 40 },
  );
  await fc.assert(
    fc.asyncProperty(acts, async (history) => {
      stored = new Map();
      isUnavailable = false;
      const watch = node();
      const followers: { after: number; got: number[]; resume: () => void }[] = [];
      for (const step of history) {
        if (step.act === 'append') {
          append('s', step.count);
          if (step.reported) watch.changed('s');
        } else if (step.act === 'follow') {
          const one = collect();
          const { resume } = watch.follow('s', step.after, (found) => one.take(found) && !step.paused);
          followers.push({ after: step.after, got: one.got, resume });
        } else if (step.act === 'resume') for (const { resume } of followers) resume();
        else if (step.act === 'unavailable') isUnavailable = !isUnavailable;
        else await settled();
      }
      isUnavailable = false;
      const last = stored.get('s') ?? 0;
      // A follower that takes one page at a time must be resumed for each page.
      for (let round = 0; round < 70; round++) {
        for (const { resume } of followers) resume();
        await settled();
      }
      for (const { after, got } of followers) expect(got).toEqual(after < last ? upTo(last, after + 1) : []);
    }),
    { numRuns: 40 },
  );
});
