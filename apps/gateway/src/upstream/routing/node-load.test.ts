import { expect, test } from 'bun:test';
import { createMethodClasses, NodeLoad } from './node-load.ts';

const classes = createMethodClasses(['eth_call', 'eth_getLogs']);
const [call, logs] = [classes.of('eth_call'), classes.of('eth_getLogs')];

/** Records calls that took `ms` each, one after the other. */
function noted(load: NodeLoad, methodClass: number, times: readonly number[], answered = true): NodeLoad {
  for (const [at, ms] of times.entries()) {
    load.begin(0, 0);
    load.end(methodClass, ms, answered, at);
  }
  return load;
}
const many = (ms: number, count = 200) => new Array<number>(count).fill(ms);

test('methods that are not listed share one class, regardless of the number of names', () => {
  expect(new Set(Array.from({ length: 1_000 }, (_, at) => classes.of(`made_up${at}`)))).toEqual(new Set([0]));
  expect(new Set([call, logs, classes.batch, 0]).size).toBe(4);
});

test('the expected cost of a call grows with the calls in flight', () => {
  const load = noted(new NodeLoad(), call, many(10));
  const alone = load.cost(call, 200);
  load.begin(call, 200);
  expect(load.cost(call, 200)).toBeCloseTo(2 * alone);
  expect(alone).toBeGreaterThan(9);
});

test('each method has its own figures; a method without figures uses those of all methods', () => {
  const load = noted(noted(new NodeLoad(), call, many(10)), logs, many(500));
  expect(load.cost(logs, 200)).toBeGreaterThan(10 * load.cost(call, 200));
  expect(load.cost(classes.batch, 200)).toBeGreaterThan(load.cost(call, 200));
});

test('a node without figures is tried by one call at a time', () => {
  const load = new NodeLoad();
  expect(load.cost(call, 0)).toBe(0);
  load.begin(0, 0);
  expect(load.cost(call, 0)).toBe(Number.POSITIVE_INFINITY);
  load.end(call, 5, true, 0);
  expect(load.cost(call, 0)).toBe(5);
});

test('a fast failure makes a node no faster', () => {
  const good = noted(new NodeLoad(), call, many(10));
  const failing = noted(noted(new NodeLoad(), call, many(10)), call, many(0.1, 5), false);
  expect(failing.cost(call, 200)).toBeGreaterThan(10 * good.cost(call, 200));
});

test('a node that delays its calls is avoided before any of them has failed', () => {
  const hangs = noted(new NodeLoad(), call, many(1));
  const busy = noted(new NodeLoad(), call, many(20));
  hangs.begin(call, 200);
  expect(hangs.cost(call, 240)).toBeLessThan(busy.cost(call, 240));
  expect(hangs.cost(call, 320)).toBeGreaterThan(busy.cost(call, 320));
  // A call that ends shows that the node works.
  hangs.begin(call, 320);
  hangs.end(call, 1, true, 321);
  expect(hangs.cost(call, 330)).toBeLessThan(busy.cost(call, 330));
});

test('a call of a slow method does not exclude others', () => {
  const load = noted(noted(new NodeLoad(), call, many(1)), logs, many(2_000));
  load.begin(logs, 200);
  load.begin(call, 5_000);
  load.end(call, 1, true, 5_001);
  expect(load.cost(call, 5_002)).toBeLessThan(5);
});

test('a node that was slow is tried again after a while without calls', () => {
  const slow = noted(new NodeLoad(), call, many(1_000));
  expect(slow.cost(call, 200)).toBeGreaterThan(900);
  expect(slow.cost(call, 60_000)).toBeLessThan(5);
});

test('percentiles are accurate within a fifth, and need a minimum number of latencies', () => {
  const times = Array.from({ length: 1_000 }, (_, at) => at + 1);
  const load = noted(new NodeLoad(), call, times);
  for (const [share, ms] of [
    [0.5, 500],
    [0.95, 950],
    [0.99, 990],
  ] as const) {
    expect(load.percentileMs(call, share)).toBeGreaterThanOrEqual(ms);
    expect(load.percentileMs(call, share)).toBeLessThan(ms * 1.2);
  }
  expect(load.p99Ms(call)).toBe(load.percentileMs(call, 0.99));
  expect(noted(new NodeLoad(), call, many(10, 99)).p99Ms(call)).toBeUndefined();
  expect(noted(new NodeLoad(), call, many(10, 19)).percentileMs(call, 0.9)).toBeUndefined();
  expect(noted(new NodeLoad(), call, many(10, 20)).percentileMs(call, 0.9)).toBeLessThan(12);
  expect(load.p99Ms(logs)).toBeUndefined();
});

test('the 99th percentile follows changes', () => {
  const load = noted(noted(new NodeLoad(), call, many(1_000, 4_000)), call, many(10, 12_000));
  expect(load.p99Ms(call)).toBeLessThan(13);
  noted(load, call, many(1_000, 100));
  expect(load.p99Ms(call)).toBeGreaterThan(900);
});

test('timeouts raise no percentile', () => {
  const load = noted(noted(new NodeLoad(), call, many(10)), call, many(5_000), false);
  expect(load.p99Ms(call)).toBeLessThan(13);
});

test('a try that says nothing about latency also ends', () => {
  const load = new NodeLoad();
  load.begin(0, 0);
  load.end(call, undefined, false, 0);
  expect([load.inFlight, load.cost(call, 0)]).toEqual([0, 0]);
});

test.each([0, Number.MAX_SAFE_INTEGER, 1e-9, Number.NaN])('a latency of %p ms breaks nothing', (ms) => {
  const load = noted(new NodeLoad(), logs, many(ms));
  expect(load.percentileMs(logs, 0.5)).toBeGreaterThan(0);
});
