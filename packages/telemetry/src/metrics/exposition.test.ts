import { describe, expect, test } from 'bun:test';
import { promtoolMissing, readMetrics, sampleValue } from '@flowgate/testing/metrics-text';
import fc from 'fast-check';
import { type ExpositionFormat, formatFor, writeMetrics } from './exposition.ts';
import { Registry } from './registry.ts';

const formats: readonly ExpositionFormat[] = ['prometheus', 'openmetrics'];

function someMetrics() {
  const registry = new Registry();
  const calls = registry.counter({ name: 'calls_total', kind: 'counter', help: 'Calls.', labels: ['kind'] });
  const seconds = registry.histogram({
    name: 'wait_seconds',
    kind: 'histogram',
    help: 'Waiting: "quoted", \\ and\nbroken.',
    labels: ['kind'],
    bounds: [0.5, 1, 10],
  });
  const open = registry.gauge({ name: 'open_bytes', kind: 'gauge', help: 'Open.', labels: [] });
  return { registry, calls, seconds, open };
}

describe.each(formats)('%s', (format) => {
  test('the counted values are read back', () => {
    const { registry, calls, seconds, open } = someMetrics();
    calls.with('a').add();
    calls.with('a').add(2);
    calls.with('b');
    for (const value of [0.1, 0.5, 0.6, 11, 1000]) seconds.with('x').observe(value);
    open.add([], () => 7.25);
    const read = readMetrics(writeMetrics(registry.snapshot(), format), format);
    expect(sampleValue(read, 'calls_total', { kind: 'a' })).toBe(3);
    expect(sampleValue(read, 'calls_total', { kind: 'b' })).toBe(0);
    expect(sampleValue(read, 'open_bytes')).toBe(7.25);
    const bucket = (le: string) => sampleValue(read, 'wait_seconds_bucket', { kind: 'x', le });
    expect([bucket('0.5'), bucket('1.0'), bucket('10.0'), bucket('+Inf')]).toEqual([2, 3, 3, 5]);
    expect(sampleValue(read, 'wait_seconds_count', { kind: 'x' })).toBe(5);
    expect(sampleValue(read, 'wait_seconds_sum', { kind: 'x' })).toBeCloseTo(1012.2);
    const wanted =
      format === 'openmetrics'
        ? ['calls', 'wait_seconds', 'open_bytes']
        : ['calls_total', 'wait_seconds', 'open_bytes'];
    expect(read.map(({ name }) => name)).toEqual(wanted);
    expect(read.map(({ unit }) => unit)).toEqual(
      format === 'openmetrics' ? [undefined, 'seconds', 'bytes'] : [undefined, undefined, undefined],
    );
  });

  test('a gauge that is added again replaces the previous one, and is removed only when the latest is removed', () => {
    const { registry, calls, open } = someMetrics();
    calls.with('a');
    const removeFirst = open.add([], () => 1);
    const removeSecond = open.add([], () => 2);
    const shown = () => sampleValue(readMetrics(writeMetrics(registry.snapshot(), format), format), 'open_bytes');
    expect(shown()).toBe(2);
    removeFirst();
    expect(shown()).toBe(2);
    removeSecond();
    expect(shown()).toBeUndefined();
  });

  test('a metric without a series is not written', () => {
    const { registry } = someMetrics();
    expect(writeMetrics(registry.snapshot(), format)).toBe(format === 'openmetrics' ? '# EOF\n' : '');
  });

  test('any text can be the value of a label, and any number a value', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 5 }), fc.double(), (texts, number) => {
        const { registry, calls, open } = someMetrics();
        for (const text of texts) calls.with(text).add();
        open.add([], () => number);
        const read = readMetrics(writeMetrics(registry.snapshot(), format), format);
        for (const text of new Set(texts))
          expect(sampleValue(read, 'calls_total', { kind: text })).toBe(texts.filter((each) => each === text).length);
        expect(sampleValue(read, 'open_bytes')).toBe(number === 0 ? 0 : number);
      }),
    );
  });
});

test.skipIf(promtoolMissing !== undefined)('promtool accepts it', async () => {
  const { registry, calls, seconds } = someMetrics();
  calls.with('a "b" \\ \n c').add();
  seconds.with('x').observe(3);
  const child = Bun.spawn(['promtool', 'check', 'metrics'], { stdin: 'pipe', stdout: 'pipe', stderr: 'pipe' });
  child.stdin.write(writeMetrics(registry.snapshot(), 'prometheus'));
  await child.stdin.end();
  const said = (await new Response(child.stdout).text()) + (await new Response(child.stderr).text());
  expect([await child.exited, said]).toEqual([0, '']);
});

test.each([
  [null, 'prometheus'],
  ['', 'prometheus'],
  ['*/*', 'prometheus'],
  ['text/html', 'prometheus'],
  ['application/openmetrics-text', 'openmetrics'],
  ['application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5,*/*;q=0.1', 'openmetrics'],
  ['application/openmetrics-text; version="1.0.0"; charset=utf-8', 'openmetrics'],
  ['application/openmetrics-text;version=0.0.1,text/plain;q=0.5', 'prometheus'],
  ['application/openmetrics-text;version=1.0.0;q=0.2,text/plain;version=0.0.4;q=0.5', 'prometheus'],
  ['application/openmetrics-text;q=0', 'prometheus'],
  ['application/openmetrics-text;q=nonsense', 'prometheus'],
] as const)('a client that accepts %p gets %s (RFC 9110 12.5.1)', (accept, format) => {
  expect(formatFor(accept)).toBe(format);
});
