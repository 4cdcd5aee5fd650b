import { afterEach, expect, test } from 'bun:test';
import type { PubSub } from '@flowgate/async/pub-sub';
import { Unavailable } from '@flowgate/base/unavailable';
import { createInProcessPubSub } from '@flowgate/testing/in-process-pub-sub';
import { createManualClock } from '@flowgate/testing/manual-clock';
import { until } from '@flowgate/testing/until';
import { createSharedCopy, type Loaded } from './shared-copy.ts';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** A store that gateways share; each load can be delayed, and fails while the store is unavailable. */
function world() {
  const clock = createManualClock();
  const events: string[] = [];
  const note = (event: string) => events.push(event);
  let stored: Loaded<string> = { revision: 0, value: 'nothing' };
  let unavailable = false;
  let holdUp: Promise<void> = Promise.resolve();
  const loads: (number | undefined)[] = [];
  const answer = <T>(value: T): T => {
    if (unavailable) throw new Unavailable('database', 'gone');
    return value;
  };
  const gateway = (pubSub?: PubSub) => {
    const loaded: string[] = [];
    const copy = createSharedCopy({
      name: 'words',
      readRevision: async () => answer(stored.revision),
      async load(previous: Loaded<string> | undefined) {
        const read = answer(stored);
        loads.push(previous?.revision);
        await holdUp;
        return read;
      },
      onLoad: (value) => loaded.push(value),
      pubSub,
      clock,
      log: { info: note, warn: note },
    });
    return { ...copy, loaded, begin: (pollMs: number) => ends.push(copy.start(pollMs)) };
  };
  return {
    clock,
    events,
    loads,
    gateway,
    write: (value: string) => {
      stored = { revision: stored.revision + 1, value };
    },
    setUnavailable: (is: boolean) => {
      unavailable = is;
    },
    /** Loads that begin from now on wait until the returned function is called. */
    holdLoads() {
      const { promise, resolve } = Promise.withResolvers<void>();
      holdUp = promise;
      return () => {
        holdUp = Promise.resolve();
        resolve();
      };
    },
  };
}

const hourMs = 3_600_000;

test('a change is visible here when `changed` resolves, and on other gateways when the message arrived (contract/many-gateways#shared-copies)', async () => {
  const { gateway, write } = world();
  const join = createInProcessPubSub();
  const [one, other] = [gateway(join()), gateway(join())];
  for (const each of [one, other]) each.begin(hourMs);
  await Promise.all([one.reload(), other.reload()]);
  write('a');
  await one.changed();
  expect(one.current()).toBe('a');
  await until(() => other.current() === 'a');
});

test('without pub/sub a poll finds the change, and only then loads', async () => {
  const { gateway, write, loads } = world();
  const one = gateway();
  await one.reload();
  one.begin(5);
  write('a');
  await until(() => one.current() === 'a');
  const before = loads.length;
  write('b');
  await until(() => one.current() === 'b');
  expect(loads.slice(before)).toEqual([1]);
});

test('a change during a load is not lost: its caller waits for a load that began later, and shares it', async () => {
  const { gateway, write, holdLoads, loads } = world();
  const one = gateway();
  const release = holdLoads();
  const early = one.reload();
  write('a');
  const late = [one.changed(), one.changed(), one.changed()];
  release();
  await early;
  expect(one.current()).toBe('nothing');
  await Promise.all(late);
  expect(one.current()).toBe('a');
  expect(loads).toEqual([undefined, 0]);
});

test('a load that fails leaves the copy unchanged, rejects for the caller of the change, and the poll repeats it', async () => {
  const { gateway, write, setUnavailable, events } = world();
  const one = gateway();
  await one.reload();
  write('a');
  setUnavailable(true);
  await expect(one.changed()).rejects.toThrow(Unavailable);
  one.begin(5);
  await until(() => events.includes('shared-copy.failed'));
  expect(one.current()).toBe('nothing');
  setUnavailable(false);
  await until(() => one.current() === 'a');
  expect(events).toEqual(['shared-copy.failed', 'shared-copy.recovered']);
});

test('a failed load does not fail the one that waits for it', async () => {
  const { gateway, write, setUnavailable, holdLoads } = world();
  const one = gateway();
  setUnavailable(true);
  const early = one.reload();
  const late = one.changed();
  setUnavailable(false);
  write('a');
  holdLoads()();
  await expect(early).rejects.toThrow(Unavailable);
  await late;
  expect(one.current()).toBe('a');
});

test('the age counts from the start of the query that found the copy up to date', async () => {
  const { gateway, clock, setUnavailable, holdLoads, events } = world();
  const one = gateway();
  expect([one.current(), one.ageMs()]).toEqual([undefined, Number.POSITIVE_INFINITY]);
  const release = holdLoads();
  const loading = one.reload();
  clock.advance(7);
  release();
  await loading;
  expect(one.ageMs()).toBe(7);
  one.begin(5);
  await until(() => one.ageMs() === 0);
  setUnavailable(true);
  await until(() => events.length > 0);
  clock.advance(60_000);
  expect(one.ageMs()).toBe(60_000);
});

test('after a gap in the messages the store is polled', async () => {
  const { gateway, write } = world();
  const join = createInProcessPubSub();
  const [one, bus] = [gateway(join()), join()];
  const other = gateway(bus);
  other.begin(hourMs);
  await Promise.all([one.reload(), other.reload()]);
  bus.disconnect();
  write('a');
  await one.changed();
  expect(other.current()).toBe('nothing');
  bus.reconnect();
  await until(() => other.current() === 'a');
});

test('after its end it neither listens nor polls', async () => {
  const { gateway, write, loads } = world();
  const join = createInProcessPubSub();
  const [one, other] = [gateway(join()), gateway(join())];
  await Promise.all([one.reload(), other.reload()]);
  other.start(5)();
  write('a');
  await one.changed();
  await one.changed();
  expect(loads).toEqual([undefined, undefined, 0, 1]);
  expect(other.current()).toBe('nothing');
});
