import { describe, expect, test } from 'bun:test';
import { createManualTime } from '@flowgate/testing/manual-time';
import { failure, type NodeFacts, pooledNode } from '../../../test/fixtures/pooled-node.ts';
import { withTexts } from '../../../test/fixtures/with-texts.ts';
import { createMethodClasses } from './node-load.ts';
import { createNodePool } from './node-pool.ts';

const callMs = 9_000;

/** A pool whose calls need block 8. `facts` may be changed at any time. */
function poolOf(...facts: NodeFacts[]) {
  const time = createManualTime();
  const nodes = facts.map((each, at) => pooledNode(`${at}`, each));
  const pool = createNodePool(
    nodes.map(({ node }) => node),
    { clock: time.clock, timeoutMs: callMs },
    {
      settings: { strategy: 'ordered', maxLagBlocks: 5, attempts: 3 },
      ...{ classes: createMethodClasses([]), random: () => 0, timers: time.timerWheel },
    },
  );
  const send = (repeatable = true) => pool.send({ method: 'call', params: undefined, repeatable, fromHeight: 8 });
  return { facts, nodes, time, send, asked: () => nodes.map(({ calls }) => calls.length) };
}

describe('a call for a block that only one node has (contract/routing#time-of-a-try)', () => {
  test('also goes to another node that reaches the block later, and the first answer counts', async () => {
    for (const winner of [0, 1]) {
      const { facts, nodes, time, send, asked } = poolOf({ head: 8 }, { head: 7 }, { head: 7 });
      const reply = send();
      await time.pass(800);
      expect([asked(), nodes[0]?.calls[0]?.timeoutMs]).toEqual([[1, 0, 0], callMs]);
      Object.assign(facts[1] ?? {}, { head: 8 });
      await time.pass(100);
      expect(asked()).toEqual([1, 1, 0]);
      nodes[winner]?.calls[0]?.settle('"first"');
      expect(withTexts(await reply)).toMatchObject({ ok: true, nodeId: `${winner}`, attempts: 2 });
      nodes[1 - winner]?.calls[0]?.settle(failure('timeout', true));
      await time.pass(callMs);
      // Each try counts for its own node.
      expect([nodes[winner]?.noted, nodes[1 - winner]?.noted]).toEqual([[undefined], ['timeout']]);
      expect([asked(), time.isSleeping()]).toEqual([[1, 1, 0], true]);
    }
  });

  test('waits half a second for its node before it goes to another, even if that has the block sooner', async () => {
    const { facts, nodes, time, send, asked } = poolOf({ head: 8 }, { head: 7 });
    const reply = send();
    Object.assign(facts[1] ?? {}, { head: 9 });
    await time.pass(400);
    expect(asked()).toEqual([1, 0]);
    nodes[0]?.calls[0]?.settle('"only"');
    expect(await reply).toMatchObject({ ok: true, nodeId: '0' });
    await time.pass(callMs);
    expect(asked()).toEqual([1, 0]);
  });

  test('goes to a node that is likely to fail after a third of its time', async () => {
    const { nodes, time, send, asked } = poolOf({ head: 8 }, { head: 8, isCircuitOpen: true });
    const reply = send();
    await time.pass(callMs / 3 - 100);
    expect(asked()).toEqual([1, 0]);
    await time.pass(200);
    expect(asked()).toEqual([1, 1]);
    nodes[1]?.calls[0]?.settle(failure('broken', true));
    await time.pass(100);
    nodes[0]?.calls[0]?.settle('"slow"');
    expect(withTexts(await reply)).toMatchObject({ ok: true, nodeId: '0', attempts: 2 });
  });

  test('goes to a third node when the second one also hangs or fails', async () => {
    const { facts, nodes, time, send, asked } = poolOf({ head: 8 }, { head: 7 }, { head: 7 });
    const reply = send();
    Object.assign(facts[1] ?? {}, { head: 8 });
    await time.pass(600);
    nodes[1]?.calls[0]?.settle(failure('connect', false));
    Object.assign(facts[2] ?? {}, { head: 8 });
    await time.pass(600);
    expect(asked()).toEqual([1, 1, 1]);
    nodes[2]?.calls[0]?.settle('"third"');
    expect(withTexts(await reply)).toMatchObject({ ok: true, nodeId: '2', attempts: 3 });
  });

  test('reports the height that its node was known to have, if that was too low', async () => {
    for (const [head, behind] of [
      [8, undefined],
      [7, 7],
      [undefined, -1],
    ] as const) {
      const { facts, nodes, send } = poolOf(head === undefined ? {} : { head });
      const reply = send();
      Object.assign(facts[0] ?? {}, { head: 9 });
      nodes[0]?.calls[0]?.settle('"one"');
      const said = await reply;
      expect(said.ok && said.behind).toEqual(behind === undefined ? undefined : new Map([['0', behind]]));
    }
  });

  test('is not sent twice if it must not be repeated', async () => {
    const { facts, nodes, time, send, asked } = poolOf({ head: 8 }, { head: 7 });
    const reply = send(false);
    Object.assign(facts[1] ?? {}, { head: 8 });
    await time.pass(callMs - 100);
    nodes[0]?.calls[0]?.settle('"once"');
    expect(await reply).toMatchObject({ ok: true, nodeId: '0' });
    expect(asked()).toEqual([1, 0]);
  });
});
