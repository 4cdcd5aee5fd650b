import { describe, expect, test } from 'bun:test';
import type { Deadline } from '@flowgate/async/timer-wheel';
import { BudgetedBuffer } from '@flowgate/bytes/budgeted-buffer';
import { ByteBudget } from '@flowgate/bytes/byte-budget';
import { createManualClock } from '@flowgate/testing/manual-clock';
import fc from 'fast-check';
import { failure, type NodeFacts, pooledNode } from '../../../test/fixtures/pooled-node.ts';
import { HedgeBudget } from './hedge-budget.ts';
import { createMethodClasses } from './node-load.ts';
import { createNodePool } from './node-pool.ts';
import type { HedgeSettings } from './routing-settings.ts';

/** Timers that fire when the clock is advanced. */
function manualTimers(clock: ReturnType<typeof createManualClock>) {
  let armed: (Deadline & { readonly dueMs: number })[] = [];
  return {
    timers: {
      arm(ms: number, callback: () => void) {
        const deadline = { callback, dueMs: clock.monotonic() + ms };
        armed.push(deadline);
        return deadline;
      },
      disarm(deadline: Deadline) {
        armed = armed.filter((each) => each !== deadline);
      },
    },
    pass(ms: number) {
      clock.advance(ms);
      const due = armed.filter(({ dueMs }) => dueMs <= clock.monotonic());
      armed = armed.filter((each) => !due.includes(each));
      for (const { callback } of due) callback();
    },
    count: () => armed.length,
  };
}

function poolOf(facts: readonly NodeFacts[], hedge: HedgeSettings = { afterMs: 20, maxPercent: 100 }, attempts = 3) {
  const clock = createManualClock();
  const { timers, pass, count } = manualTimers(clock);
  const nodes = facts.map((each, at) => pooledNode(`${at}`, each));
  const settings = { strategy: 'ordered', maxLagBlocks: 5, attempts, hedge } as const;
  const pool = createNodePool(
    nodes.map(({ node }) => node),
    { clock, timeoutMs: 30_000 },
    { settings, classes: createMethodClasses([]), random: () => 0, timers },
  );
  const send = (repeatable = true) => pool.send({ method: 'call', params: undefined, repeatable });
  return { clock, nodes, send, pass, timersArmed: count, asked: () => nodes.map(({ calls }) => calls.length) };
}

describe('a slow read (contract/routing#hedging)', () => {
  test('is not sent to a node of a higher tier after the others of its tier have failed', async () => {
    const { nodes, send, pass, asked } = poolOf([{}, {}, { tier: 1 }]);
    const reply = send();
    nodes[0]?.calls[0]?.settle(failure('broken', true));
    await new Promise(setImmediate);
    expect(asked()).toEqual([1, 1, 0]);
    pass(20);
    expect(asked()).toEqual([1, 1, 0]);
    nodes[1]?.calls[0]?.settle('"second"');
    expect(await reply).toMatchObject({ ok: true, nodeId: '1' });
  });

  test('is sent to a second node; the first answer counts, and the other one is discarded', async () => {
    for (const winner of [0, 1]) {
      const { nodes, send, pass, asked, timersArmed } = poolOf([{}, {}]);
      const reply = send();
      pass(19);
      expect(asked()).toEqual([1, 0]);
      pass(1);
      expect(asked()).toEqual([1, 1]);
      nodes[winner]?.calls[0]?.settle('"first"');
      expect(await reply).toMatchObject({ ok: true, nodeId: `${winner}`, attempts: 2 });
      nodes[1 - winner]?.calls[0]?.settle('"second"');
      await Promise.resolve();
      await Promise.resolve();
      expect(nodes.map(({ noted, load }) => [noted, load.inFlight])).toEqual([
        [[undefined], 0],
        [[undefined], 0],
      ]);
      expect(timersArmed()).toBe(0);
    }
  });

  test('that is answered in time is sent to one node only, and leaves no timer', async () => {
    const { nodes, send, pass, asked, timersArmed } = poolOf([{}, {}]);
    const reply = send();
    nodes[0]?.calls[0]?.settle('1');
    expect(await reply).not.toHaveProperty('attempts');
    expect(timersArmed()).toBe(0);
    pass(1_000);
    expect(asked()).toEqual([1, 0]);
  });

  test('waits for the other node if one of the two fails, and asks no third meanwhile', async () => {
    for (const loser of [0, 1]) {
      const { nodes, send, pass, asked } = poolOf([{}, {}, {}]);
      const reply = send();
      pass(20);
      nodes[loser]?.calls[0]?.settle(failure('broken', true));
      await Bun.sleep(0);
      expect(asked()).toEqual([1, 1, 0]);
      nodes[1 - loser]?.calls[0]?.settle('1');
      expect(await reply).toMatchObject({ ok: true, nodeId: `${1 - loser}`, attempts: 2 });
    }
  });

  test('goes to the next node if both fail, within the attempts', async () => {
    const { nodes, send, pass, asked } = poolOf([{}, {}, {}, {}]);
    const reply = send();
    pass(20);
    for (const at of [1, 0]) nodes[at]?.calls[0]?.settle(failure('broken', true));
    await Bun.sleep(0);
    expect(asked()).toEqual([1, 1, 1, 0]);
    nodes[2]?.calls[0]?.settle(failure('broken', true));
    expect(await reply).toMatchObject({ ok: false, attempts: 3, maybeDelivered: true });
  });

  test('that failed before continues as without hedging', async () => {
    const { nodes, send, pass, asked } = poolOf([{}, {}, {}]);
    const reply = send();
    nodes[0]?.calls[0]?.settle(failure('connect', false));
    await Bun.sleep(0);
    expect(asked()).toEqual([1, 1, 0]);
    nodes[1]?.calls[0]?.settle('1');
    expect(await reply).toMatchObject({ ok: true, nodeId: '1', attempts: 2 });
    pass(100);
    expect(asked()).toEqual([1, 1, 0]);
  });

  test('releases the buffers of the slower answer', async () => {
    const budget = new ByteBudget({ totalBytes: 1_000, ownerBytes: 1_000 });
    const buffer = new BudgetedBuffer(budget, 'alice');
    buffer.append(Buffer.from('"large"'), 0, 7);
    const { nodes, send, pass } = poolOf([{}, {}]);
    const reply = send();
    pass(20);
    nodes[1]?.calls[0]?.settle('1');
    await reply;
    const answer = { kind: 'buffered', buffers: [buffer], parts: [], release: () => buffer.release() } as const;
    expect(budget.reservedBytes).toBe(7);
    nodes[0]?.calls[0]?.settle({ ok: true, nodeId: '0', answer });
    await Bun.sleep(0);
    expect(budget.reservedBytes).toBe(0);
  });
});

describe('no second node is asked', () => {
  test.each<readonly [string, readonly NodeFacts[]]>([
    ['if there is none', [{}]],
    ['if the other one is of a higher tier', [{}, { tier: 1 }]],
    ['if the other one is behind', [{}, { isBehind: true }]],
    ['if the circuit of the other one is open', [{}, { isCircuitOpen: true }]],
    ['if the other one is shared by a user', [{}, { isShared: true }]],
  ])('%s', (_name, facts) => {
    const { send, pass, asked } = poolOf(facts);
    void send();
    pass(20);
    expect(asked()).toEqual(facts.map((_each, at) => (at === 0 ? 1 : 0)));
  });

  test('for a call that must not be repeated', () => {
    const { send, pass, asked } = poolOf([{}, {}]);
    void send(false);
    pass(20);
    expect(asked()).toEqual([1, 0]);
  });

  test('if one attempt is allowed', () => {
    const { send, pass, asked } = poolOf([{}, {}], undefined, 1);
    void send();
    pass(20);
    expect(asked()).toEqual([1, 0]);
  });

  test('with a percentile of unknown latencies', () => {
    const { send, pass, asked, nodes } = poolOf([{}, {}], { afterMs: 'p90', maxPercent: 100 });
    void send();
    pass(10_000);
    expect(asked()).toEqual([1, 0]);
    answered(nodes[0], 10, 19);
    void send();
    pass(10_000);
    expect(asked()).toEqual([2, 0]);
  });

  test('from the latencies of batches, or of another method', () => {
    const { send, pass, asked, nodes } = poolOf([{}, {}], { afterMs: 'p90', maxPercent: 100 });
    answered(nodes[0], 10, 200, createMethodClasses([]).batch);
    void send();
    pass(10_000);
    expect(asked()).toEqual([1, 0]);
  });
});

function answered(of: ReturnType<typeof pooledNode> | undefined, ms: number, count: number, methodClass = 0): void {
  for (let at = 0; at < count; at++) {
    of?.load.begin(methodClass, 0);
    of?.load.end(methodClass, ms, true, 0);
  }
}

describe('a percentile of the latencies of the method (contract/routing#hedging)', () => {
  const p90 = { afterMs: 'p90', maxPercent: 100 };

  test('applies from 20 answers of the node on', () => {
    const { send, pass, asked, nodes } = poolOf([{}, {}], p90);
    answered(nodes[0], 10, 20);
    void send();
    pass(9);
    expect(asked()).toEqual([1, 0]);
    pass(3);
    expect(asked()).toEqual([1, 1]);
  });

  test('uses the answers of all nodes while the node has too few', () => {
    const { send, pass, asked, nodes } = poolOf([{}, {}, {}], p90);
    answered(nodes[0], 900, 2);
    answered(nodes[1], 10, 10);
    answered(nodes[2], 10, 10);
    void send();
    pass(12);
    expect(asked()).toEqual([1, 1, 0]);
  });
});

test('at most the configured percentage of slow calls is sent twice, in any order of arrival', () => {
  const { send, pass, nodes } = poolOf([{}, {}], { afterMs: 20, maxPercent: 5 });
  for (let at = 0; at < 1_000; at++) {
    void send();
    if (at % 7 === 0) pass(20);
  }
  pass(20);
  expect(nodes[1]?.calls.length).toBeLessThanOrEqual(50);
  expect(nodes[1]?.calls.length).toBeGreaterThan(5);
});

test('the percentage of calls that are sent twice is exact at all times', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 2_000 }), fc.integer({ min: 1, max: 100 }), (wanted, percent) => {
      const budget = new HedgeBudget(percent);
      let spent = 0;
      for (const [at, wants] of wanted.entries()) {
        budget.earn();
        if (wants && budget.spend()) spent++;
        expect(spent).toBeLessThanOrEqual(((at + 1) * percent) / 100 + 1e-6);
      }
    }),
    { numRuns: 100, seed: 88 },
  );
  const always = new HedgeBudget(5);
  let spent = 0;
  for (let at = 0; at < 1_000; at++) {
    always.earn();
    if (always.spend()) spent++;
  }
  expect(spent).toBe(50);
});
