/** The figures of a node from the calls of a gateway (contract/node-figures). */

import { expect, test } from 'bun:test';
import { rangeOf } from '@flowgate/bytes/byte-range';
import { createManualClock } from '@flowgate/testing/manual-clock';
import { nodeCaller } from '../../../test/fixtures/node-caller.ts';
import { pooledNode } from '../../../test/fixtures/pooled-node.ts';
import { result, type Scripted, scriptedNode } from '../../../test/fixtures/scripted-node.ts';
import { createNodePool } from './node-pool.ts';

const question = { method: 'call', params: undefined, repeatable: true, caller: nodeCaller };
const good = result('"yes"');
const coolsDown = (seconds: number): Scripted => ({
  ...{ ok: true, status: 429, content: rangeOf(''), retryAfter: String(seconds) },
});

test.each([1, 2])('a try is timed from its sending to its answer, in a pool of %i nodes', async (count) => {
  const clock = createManualClock();
  const nodes = Array.from({ length: count }, (_, at) => pooledNode(`node-${at}`));
  const pool = createNodePool(
    nodes.map(({ node }) => node),
    { clock, timeoutMs: 30_000 },
  );
  for (const tookMs of [40, 40, 40, 400]) {
    const reply = pool.send(question);
    clock.advance(tookMs);
    nodes[0]?.calls.at(-1)?.settle('"yes"');
    expect((await reply).ok).toBe(true);
  }
  const { calls, failed, p50Ms = 0, p95Ms = 0 } = nodes[0]?.load.recent.figures(clock.monotonic()) ?? {};
  expect([calls, failed]).toEqual([4, 0]);
  expect(Math.abs(p50Ms / 40 - 1)).toBeLessThan(0.1);
  expect(Math.abs(p95Ms / 400 - 1)).toBeLessThan(0.1);
  expect(nodes[1]?.load.recent.figures(clock.monotonic()).calls).toBe(count === 2 ? 0 : undefined);
});

test('requests of the gateway itself count neither here nor in the circuit breaker', async () => {
  const { node } = scriptedNode('n', 'broken');
  const pool = createNodePool([node], { clock: createManualClock(), timeoutMs: 30_000 });
  const { caller: _, ...own } = question;
  await pool.send(own);
  await pool.send({ ...question, isOwn: true });
  expect(node.figures().calls).toBe(0);
  await pool.send(question);
  expect(node.figures()).toMatchObject({ calls: 1, failed: 1 });
});

test('the circuit opens, is half-open for a probe, and closes', async () => {
  const watched = scriptedNode('n', 'connect');
  const pool = createNodePool([watched.node], { clock: watched.clock, timeoutMs: 30_000 });
  const circuit = () => watched.node.figures().circuit;
  expect(circuit()).toEqual({ state: 'closed' });
  for (let at = 0; at < 5; at++) await pool.send(question);
  expect(circuit()).toEqual({ state: 'open', retryAfterMs: 1_000 });
  watched.clock.advance(400);
  expect(circuit()).toEqual({ state: 'open', retryAfterMs: 600 });
  watched.clock.advance(600);
  expect(circuit()).toEqual({ state: 'half-open' });
  // A failed probe doubles the wait.
  await pool.send(question);
  expect(circuit()).toEqual({ state: 'open', retryAfterMs: 2_000 });
  watched.clock.advance(2_000);
  watched.script(good);
  await pool.send(question);
  expect(circuit()).toEqual({ state: 'half-open' });
  await pool.send(question);
  expect(circuit()).toEqual({ state: 'closed' });
  expect(watched.node.figures()).toMatchObject({ calls: 8, failed: 6 });
});

test('a node that sent Retry-After cools down, in each state of its circuit breaker', async () => {
  const watched = scriptedNode('n', coolsDown(60));
  const pool = createNodePool([watched.node], { clock: watched.clock, timeoutMs: 30_000 });
  await pool.send(question);
  expect(watched.node.circuit()).toEqual({ state: 'cooling-down', retryAfterMs: 60_000 });
  for (let at = 1; at < 10; at++) await pool.send(question);
  watched.clock.advance(20_000);
  expect(watched.node.circuit()).toEqual({ state: 'open', retryAfterMs: 40_000 });
  watched.clock.advance(40_000);
  expect(watched.node.circuit()).toEqual({ state: 'half-open' });
});
