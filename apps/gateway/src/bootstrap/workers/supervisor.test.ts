import { describe, expect, test } from 'bun:test';
import { createManualClock } from '@flowgate/testing/manual-clock';
import { Supervisor, type WorkerHandle } from './supervisor.ts';

type Fake = WorkerHandle & {
  readonly worker: number;
  readonly settings: string;
  readonly serve: () => void;
  readonly end: (code: number | null) => void;
  readonly reported: string[];
};

/** Lets everything that was settled continue. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

function setUp(workers: number) {
  const clock = createManualClock();
  const begun: Fake[] = [];
  const reported: string[] = [];
  let isRefused = false;
  const waits: { readonly ms: number; readonly over: () => void }[] = [];
  const supervisor = new Supervisor<string>({
    ...{ workers, clock, settings: 'old', drainMs: 30_000, startMs: 60_000 },
    begin(worker, settings) {
      if (isRefused) {
        isRefused = false;
        throw new Error('EAGAIN');
      }
      const [serving, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<number | null>()];
      const heard: string[] = [];
      const fake: Fake = {
        ...{ worker, settings, pid: begun.length + 1, reported: heard },
        ...{ serving: serving.promise, ended: ended.promise },
        ...{ serve: serving.resolve, end: ended.resolve },
        drain: (signal) => void heard.push(signal),
        handOver: (signal) => void heard.push(`hand over: ${signal}`),
        kill: () => {
          heard.push('kill');
          ended.resolve(null);
        },
      };
      begun.push(fake);
      return fake;
    },
    sleep: (ms) => new Promise((resolve) => waits.push({ ms, over: resolve })),
    report: {
      died: ({ worker, code, againInMs }) => reported.push(`${worker} died of ${code}, again in ${againInMs}`),
      serving: () => reported.push('all serve'),
    },
  });
  const refuse = () => {
    isRefused = true;
  };
  return { supervisor, clock, begun, reported, waits, refuse, over: supervisor.run() };
}

async function serving(workers: number) {
  const all = setUp(workers);
  await turn();
  all.begun[0]?.serve();
  await turn();
  for (const each of all.begun.slice(1)) each.serve();
  await turn();
  return all;
}

test('the first begins alone, the others when it serves', async () => {
  const { begun, reported } = setUp(3);
  await turn();
  expect(begun.map(({ worker }) => worker)).toEqual([1]);
  begun[0]?.serve();
  await turn();
  expect(begun.map(({ worker }) => worker)).toEqual([1, 2, 3]);
  begun[1]?.serve();
  begun[2]?.serve();
  await turn();
  expect(reported).toEqual(['all serve']);
});

test('a first worker that never serves ends the whole with its code: no one else is begun', async () => {
  const { begun, over } = setUp(3);
  await turn();
  begun[0]?.end(3);
  expect(await over).toBe(3);
  expect(begun).toHaveLength(1);
});

test('one that dies after a while is replaced at once, under its number', async () => {
  const { begun, clock, reported } = await serving(2);
  clock.advance(60_000);
  begun[1]?.end(null);
  await turn();
  expect(begun.map(({ worker }) => worker)).toEqual([1, 2, 2]);
  expect(reported).toEqual(['all serve', '2 died of null, again in 0']);
});

test('those that die at once come back later and later, and the fifth in a row ends the whole', async () => {
  const { begun, waits, over } = await serving(2);
  for (let death = 1; death <= 5; death++) {
    begun.at(-1)?.end(7);
    await turn();
    if (death < 5) waits.at(-1)?.over();
    await turn();
  }
  expect(waits.map(({ ms }) => ms)).toEqual([100, 200, 400, 800, 30_000]);
  expect(begun[0]?.reported).toEqual(['a worker ends repeatedly after its start']);
  begun[0]?.end(0);
  expect(await over).toBe(7);
});

test('a worker that has lived for a while makes the deaths before it count no more', async () => {
  const { begun, waits, clock } = await serving(2);
  begun.at(-1)?.end(7);
  await turn();
  waits.at(-1)?.over();
  await turn();
  clock.advance(20_000);
  begun.at(-1)?.end(7);
  await turn();
  begun.at(-1)?.end(7);
  await turn();
  expect(waits.map(({ ms }) => ms)).toEqual([100, 100]);
});

test('a process that could not be begun is tried again', async () => {
  const { begun, waits, refuse } = await serving(2);
  refuse();
  begun[1]?.end(7);
  await turn();
  waits.at(-1)?.over();
  await turn();
  waits.at(-1)?.over();
  await turn();
  expect(begun.map(({ worker }) => worker)).toEqual([1, 2, 2]);
  expect(waits.map(({ ms }) => ms)).toEqual([100, 200]);
});

test('a drain reaches all, replaces none, and ends when the last has ended', async () => {
  const { supervisor, begun, over, reported } = await serving(3);
  supervisor.drain('SIGTERM');
  supervisor.drain('SIGTERM');
  expect(begun.map((each) => each.reported)).toEqual([['SIGTERM'], ['SIGTERM'], ['SIGTERM']]);
  for (const each of begun) each.end(0);
  expect(await over).toBe(0);
  expect([begun.length, reported]).toEqual([3, ['all serve']]);
});

test('a worker that had to cut calls off, or died in the drain, shows in the exit code', async () => {
  const { supervisor, begun, over } = await serving(2);
  supervisor.drain('SIGTERM');
  begun[0]?.end(1);
  begun[1]?.end(0);
  expect(await over).toBe(1);
});

test('who does not end in time is killed', async () => {
  const { supervisor, begun, waits, over } = await serving(2);
  supervisor.drain('SIGTERM');
  begun[0]?.end(0);
  await turn();
  waits.at(-1)?.over();
  expect(await over).toBe(1);
  expect(begun[1]?.reported).toEqual(['SIGTERM', 'kill']);
});

test('a drain does not wait for a replacement that waits', async () => {
  const { supervisor, begun, over } = await serving(2);
  begun[1]?.end(7);
  await turn();
  supervisor.drain('SIGTERM');
  begun[0]?.end(0);
  expect(await over).toBe(0);
});

describe('a reload', () => {
  /** Old processes end when they receive the request to hand over. */
  const settle = async (turns = 6) => {
    for (let at = 0; at < turns; at++) await turn();
  };

  test('replaces one after another: each new one serves before the old one hands over, and the next waits for its end', async () => {
    const { supervisor, begun, reported, clock } = await serving(2);
    const replaced = supervisor.replaceAll('new');
    await settle();
    expect(begun.map(({ worker, settings }) => `${worker} ${settings}`)).toEqual(['1 old', '2 old', '1 new']);
    expect(begun[0]?.reported).toEqual([]);
    begun[2]?.serve();
    await settle();
    expect([begun[0]?.reported, begun.length]).toEqual([['hand over: SIGHUP'], 3]);
    begun[0]?.end(0);
    await settle();
    expect(begun.map(({ worker, settings }) => `${worker} ${settings}`).slice(3)).toEqual(['2 new']);
    begun[3]?.serve();
    await settle();
    begun[1]?.end(0);
    expect(await replaced).toBe(true);
    expect(reported).toEqual(['all serve']);
    // A replacement of a replacement has its settings.
    clock.advance(60_000);
    begun[3]?.end(1);
    await settle();
    expect([begun[4]?.worker, begun[4]?.settings]).toEqual([2, 'new']);
  });

  test('a first one that does not serve changes nothing', async () => {
    const { supervisor, begun } = await serving(2);
    const replaced = supervisor.replaceAll('new');
    await settle();
    begun[2]?.end(1);
    expect(await replaced).toBe(false);
    expect([begun.length, begun[0]?.reported, begun[1]?.reported]).toEqual([3, [], []]);
  });

  test('one that hangs at its start is killed after a while, and changes nothing', async () => {
    const { supervisor, begun, waits } = await serving(1);
    const replaced = supervisor.replaceAll('new');
    await settle();
    waits.find(({ ms }) => ms === 60_000)?.over();
    expect(await replaced).toBe(false);
    expect([begun[1]?.reported, begun[0]?.reported]).toEqual([['kill'], []]);
  });

  test('a later one that does not serve has those before it replaced again, by the old settings', async () => {
    const { supervisor, begun } = await serving(2);
    const replaced = supervisor.replaceAll('new');
    await settle();
    begun[2]?.serve();
    await settle();
    begun[0]?.end(0);
    await settle();
    begun[3]?.end(1);
    await settle();
    expect([begun[4]?.worker, begun[4]?.settings]).toEqual([1, 'old']);
    begun[4]?.serve();
    await settle();
    expect(begun[2]?.reported).toEqual(['hand over: SIGHUP']);
    begun[2]?.end(0);
    expect(await replaced).toBe(false);
    expect(begun[1]?.reported).toEqual([]);
  });

  test('an old one that does not end in time is killed', async () => {
    const { supervisor, begun, waits } = await serving(1);
    const replaced = supervisor.replaceAll('new');
    await settle();
    begun[1]?.serve();
    await settle();
    waits.find(({ ms }) => ms === 30_000)?.over();
    expect(await replaced).toBe(true);
    expect(begun[0]?.reported).toEqual(['hand over: SIGHUP', 'kill']);
  });

  test('a drain in the middle of it reaches old and new, and the whole waits for both', async () => {
    const { supervisor, begun, over } = await serving(1);
    const replaced = supervisor.replaceAll('new');
    await settle();
    supervisor.drain('SIGTERM');
    expect([begun[0]?.reported, begun[1]?.reported]).toEqual([['SIGTERM'], ['SIGTERM']]);
    begun[0]?.end(0);
    let isOver = false;
    void over.then(() => {
      isOver = true;
    });
    await settle();
    expect(isOver).toBe(false);
    begun[1]?.end(0);
    expect(await replaced).toBe(false);
    expect(await over).toBe(0);
  });
});
