import { expect, test } from 'bun:test';
import { compare, interleaved, type Sample } from './comparison.ts';

const baseline = { contestant: 'haproxy', proxied: 'proxied' };

function sample(round: number, scenario: string, contestant: string, cpuUs: number | undefined): Sample {
  return { round, scenario, contestant, calls: 10, cpuUs, p50Us: 100, p99Us: 200 };
}

test('a ratio is computed within its round, so that slow periods of the machine cancel out', () => {
  const rows = compare(
    [
      sample(0, 'proxied', 'flowgate', 20),
      sample(0, 'proxied', 'haproxy', 10),
      sample(1, 'proxied', 'flowgate', 60),
      sample(1, 'proxied', 'haproxy', 30),
      sample(2, 'proxied', 'flowgate', 40),
      sample(2, 'proxied', 'haproxy', 10),
    ],
    baseline,
  );
  expect(rows[0]).toMatchObject({ contestant: 'flowgate', calls: 30, toSame: { median: 2, low: 2, high: 4 } });
  expect(rows[1]?.toSame?.median).toBe(1);
});

test("a refusal is also compared with the baseline's proxied call", () => {
  const rows = compare(
    [sample(0, 'proxied', 'haproxy', 20), sample(0, 'blocked', 'flowgate', 10), sample(0, 'blocked', 'haproxy', 5)],
    baseline,
  );
  expect(rows[1]).toMatchObject({ scenario: 'blocked', toSame: { median: 2 }, toProxied: { median: 0.5 } });
});

test('without the baseline, or without CPU times, there is no ratio', () => {
  const rows = compare([sample(0, 'proxied', 'flowgate', 20), sample(0, 'proxied', 'nginx', undefined)], baseline);
  expect(rows[0]?.toSame).toBeUndefined();
  expect(rows[1]?.cpuUs).toBeUndefined();
});

test('every other round runs backwards', () => {
  expect(interleaved(['a', 'b', 'c'], 0)).toEqual(['a', 'b', 'c']);
  expect(interleaved(['a', 'b', 'c'], 1)).toEqual(['c', 'b', 'a']);
});
