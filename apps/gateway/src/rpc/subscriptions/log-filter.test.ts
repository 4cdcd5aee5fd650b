import { expect, test } from 'bun:test';
import { chanceFrom } from '@flowgate/testing/seeded-chance';
import { matches } from '../../../test/fixtures/sim-answers.ts';
import { FilterIndex } from './filter-index.ts';
import { type LogFilter, matchesFilter, readLogFilter } from './log-filter.ts';

const address = (at: number) => `0x${at.toString(16).padStart(40, 'a')}`;
const topic = (at: number) => `0x${at.toString(16).padStart(64, 'b')}`;

function filterOf(given: unknown): LogFilter {
  const filter = readLogFilter(given);
  if (typeof filter === 'string') throw new Error(filter);
  return filter;
}

function randomFilters(seed: number, count: number) {
  const chance = chanceFrom(seed);
  const some = (make: (at: number) => string) => {
    const one = () => (chance(4) === 0 ? make(chance(5)).toUpperCase().replace('0X', '0x') : make(chance(5)));
    const kind = chance(6);
    if (kind === 0) return null;
    if (kind === 1) return [];
    return kind === 2 ? one() : Array.from({ length: 1 + chance(3) }, one);
  };
  return Array.from({ length: count }, () => ({
    ...(chance(3) === 0 ? {} : { address: some(address) }),
    ...(chance(3) === 0
      ? {}
      : { topics: Array.from({ length: chance(4) }, () => (chance(8) === 0 ? [topic(1), null] : some(topic))) }),
  }));
}

function randomLogs(seed: number, count: number) {
  const chance = chanceFrom(seed);
  return Array.from({ length: count }, () => ({
    address: address(chance(5)),
    topics: Array.from({ length: chance(4) }, () => topic(chance(5))),
    blockNumber: 7,
  }));
}

test('filters match as nodes match them (contract/subscriptions#filters)', () => {
  const logs = randomLogs(1, 60);
  let matched = 0;
  for (const given of randomFilters(2, 400)) {
    const filter = filterOf(given);
    for (const log of logs) {
      const wanted = matches(log, given);
      if (wanted) matched++;
      const found = matchesFilter(filter, log);
      if (found !== wanted) expect({ given, log, found }).toEqual({ given, log, found: wanted });
    }
  }
  expect(matched).toBeGreaterThan(1_000);
});

test('a position that matches any topic requires that the log has a topic there', () => {
  const log = { address: address(1), topics: [], blockNumber: 1 };
  expect(matchesFilter(filterOf({ topics: [null] }), log)).toBe(false);
  expect(matchesFilter(filterOf({ topics: [] }), log)).toBe(true);
});

test('fromBlock and toBlock bound the reported logs', () => {
  const at = (blockNumber: number) => ({ address: address(1), topics: [], blockNumber });
  const filter = filterOf({ fromBlock: '0x5', toBlock: '0x7' });
  expect([4, 5, 7, 8].map((number) => matchesFilter(filter, at(number)))).toEqual([false, true, true, false]);
  expect(matchesFilter(filterOf({ fromBlock: 'earliest', toBlock: 'latest' }), at(1))).toBe(true);
});

test('a filter that nodes refuse is refused, and the error quotes nothing of it', () => {
  const wrong: readonly unknown[] = [
    ...[undefined, null, 'x', 5, [], true],
    { address: '0x12' },
    { address: address(1).slice(2) },
    { address: [address(1), 5] },
    { address: {} },
    { topics: topic(1) },
    { topics: {} },
    { topics: ['0x1'] },
    { topics: [5] },
    { topics: [[[topic(1)]]] },
    { topics: Array(5).fill(null) },
    { topics: [Array(1_001).fill(topic(1))] },
    { address: Array(1_001).fill(address(1)) },
    { blockHash: topic(1) },
    { fromBlock: 'pending' },
    { fromBlock: 'safe' },
    { fromBlock: 5 },
    { fromBlock: '0x05' },
    { toBlock: '0x5' },
    { fromBlock: '0x6', toBlock: '0x5' },
    { Address: address(1) },
  ];
  for (const each of wrong) {
    const problem = readLogFilter(each);
    if (typeof problem !== 'string') expect(each).toBe('refused');
    else expect(problem).not.toMatch(/0x\d/);
  }
});

test('equal filters share one group', () => {
  const keys = [
    { address: [address(1), address(2), address(1)], topics: [[topic(2), topic(1)]] },
    { address: [address(2), address(1).toUpperCase().replace('0X', '0x')], topics: [[topic(1), topic(2), topic(2)]] },
  ].map((each) => filterOf(each).key);
  expect(keys[0]).toBe(keys[1] ?? '');
  expect(filterOf({ topics: [null, topic(1)] }).key).not.toBe(filterOf({ topics: [topic(1)] }).key);
});

test('an index finds exactly the filters that match, each once, through additions and removals', () => {
  const chance = chanceFrom(9);
  const index = new FilterIndex<number>();
  const present = new Map<number, LogFilter>();
  const logs = randomLogs(3, 20);
  for (const [at, given] of randomFilters(4, 600).entries()) {
    const filter = filterOf(given);
    index.add(filter, at);
    present.set(at, filter);
    const [[gone, former] = []] = chance(2) === 0 ? [...present] : [];
    if (gone !== undefined && former !== undefined && present.size > 20) {
      index.remove(former, gone);
      index.remove(former, gone);
      present.delete(gone);
    }
    const log = logs[at % logs.length];
    if (log === undefined) continue;
    const found = index.matching(log).flatMap(({ members }) => [...members]);
    const wanted = [...present].filter(([, each]) => matchesFilter(each, log)).map(([id]) => id);
    expect(found.sort((a, b) => a - b)).toEqual(wanted);
  }
  expect(index.size).toBe(present.size);
  for (const [id, filter] of present) index.remove(filter, id);
  expect([
    index.size,
    [...index.groups].length,
    index.matching(logs[0] ?? randomLogs(1, 1)[0] ?? never()).length,
  ]).toEqual([0, 0, 0]);
});

test('the cost of a log is proportional to the filters that it may match, not to all filters', () => {
  const looks = (count: number) => {
    let looked = 0;
    const index = new FilterIndex<number>();
    for (let at = 0; at < count; at++) {
      const filter = filterOf({ address: address(at), topics: [[topic(1), topic(2)]] });
      const counting = new Proxy(filter, {
        get(from, name, self) {
          if (name === 'addresses') looked++;
          return Reflect.get(from, name, self);
        },
      });
      index.add(counting, at);
    }
    looked = 0;
    for (let at = 0; at < 100; at++) index.matching({ address: address(at), topics: [topic(1)], blockNumber: 1 });
    return looked;
  };
  expect([looks(200), looks(2_000), looks(10_000)]).toEqual([100, 100, 100]);
});

function never(): never {
  throw new Error('there are logs');
}
