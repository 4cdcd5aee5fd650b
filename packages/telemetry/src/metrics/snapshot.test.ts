import { expect, test } from 'bun:test';
import { Registry } from './registry.ts';
import { combine, labeledGauges, sumOf } from './snapshot.ts';

function snapshotOf(counts: Readonly<Record<string, number>>, waits: readonly number[], open: number) {
  const registry = new Registry();
  const calls = registry.counter({ name: 'calls_total', kind: 'counter', help: 'Calls.', labels: ['kind'] });
  for (const [kind, count] of Object.entries(counts)) calls.with(kind).add(count);
  const wait = registry.histogram({ name: 'wait_seconds', kind: 'histogram', help: 'Waits.', labels: [], bounds: [1] });
  for (const each of waits) wait.with().observe(each);
  registry.gauge({ name: 'open', kind: 'gauge', help: 'Open.', labels: ['at'] }).add(['here'], () => open);
  return registry.snapshot();
}

test('counters and histograms of several processes are added, series by series, and gauges are omitted', () => {
  const sum = sumOf([snapshotOf({ a: 1, b: 2 }, [0.5, 3], 7), snapshotOf({ b: 3, c: 4 }, [0.25], 9)]);
  expect(sum.map(({ name, series }) => [name, series])).toEqual([
    [
      'calls_total',
      [
        { labelValues: ['a'], numbers: [1] },
        { labelValues: ['b'], numbers: [5] },
        { labelValues: ['c'], numbers: [4] },
      ],
    ],
    ['wait_seconds', [{ labelValues: [], numbers: [2, 1, 3.75] }]],
  ]);
});

test('gauges get a label that distinguishes those of several processes', () => {
  const both = [snapshotOf({}, [], 7), snapshotOf({}, [], 9)].map((each, at) =>
    labeledGauges(each, 'worker', String(at + 1)),
  );
  expect(combine(both)).toMatchObject([
    {
      name: 'open',
      labels: ['at', 'worker'],
      series: [
        { labelValues: ['here', '1'], numbers: [7] },
        { labelValues: ['here', '2'], numbers: [9] },
      ],
    },
  ]);
});

test('a snapshot that was sent to another process has the same text', () => {
  const snapshot = snapshotOf({ a: 1 }, [2], 3);
  expect(JSON.parse(JSON.stringify(snapshot))).toEqual(snapshot);
});
