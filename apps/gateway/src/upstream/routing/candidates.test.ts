import { describe, expect, test } from 'bun:test';
import { createManualClock } from '@flowgate/testing/manual-clock';
import { answered, result, scriptedNode } from '../../../test/fixtures/scripted-node.ts';
import { createNodePool } from './node-pool.ts';

/** `heads`: the height that each node has reported; undefined: none yet. */
function poolAt(...heads: (number | undefined)[]) {
  const nodes = heads.map((head, nth) => {
    const scripted = scriptedNode(`node-${nth}`, result('1'));
    if (head !== undefined) scripted.node.noteHead(head);
    return scripted;
  });
  const pool = createNodePool(
    nodes.map(({ node }) => node),
    { clock: createManualClock(), timeoutMs: 30_000 },
  );
  const ask = async (terms: { readonly fromHeight?: number; readonly onlyNode?: string }) =>
    pool.send({ method: 'call', params: undefined, repeatable: true, ...terms });
  return { nodes, ask };
}

const from = (nodeId: string) => ({ ok: true, nodeId }) as const;

describe('the height that a call needs (contract/routing#candidates)', () => {
  test('a node that is known to be lower is not asked while another is left', async () => {
    expect(await poolAt(9, 10).ask({ fromHeight: 10 })).toMatchObject(from('node-1'));
    expect(await poolAt(10, 11).ask({ fromHeight: 10 })).toMatchObject(from('node-0'));
    expect(await poolAt(9, 10).ask({})).toMatchObject(from('node-0'));
  });

  test('nodes that reached the block come first, then nodes without a reported head, then nodes that lack the block', async () => {
    expect(await poolAt(9, undefined, 10).ask({ fromHeight: 10 })).toMatchObject(from('node-2'));
    expect(await poolAt(9, undefined).ask({ fromHeight: 10 })).toMatchObject(from('node-1'));
  });

  test('if no node has reached the block, the highest one is asked', async () => {
    expect(await poolAt(7, 9, 8).ask({ fromHeight: 10 })).toMatchObject(from('node-1'));
  });

  test('counts more than health: a failed node with the block precedes a healthy one without it', async () => {
    const { nodes, ask } = poolAt(10, 9);
    nodes[0]?.script(answered('<html>', 503), result('1'));
    expect(await ask({ fromHeight: 10 })).toMatchObject(from('node-1'));
    expect(await ask({ fromHeight: 10 })).toMatchObject(from('node-0'));
  });

  test('an answer does not lower a head, a probe does', async () => {
    const [first] = poolAt(30).nodes;
    first?.node.noteHead(20);
    expect(first?.node.head()).toBe(30);
    first?.node.start();
    await first?.probe();
    expect(first?.node.head()).toBe(16);
  });
});

describe('a call for one node', () => {
  test('is sent to that node and to no other, regardless of the outcome', async () => {
    const { nodes, ask } = poolAt(undefined, undefined);
    nodes[1]?.script('connect');
    expect(await ask({ onlyNode: 'node-1' })).toMatchObject({ ok: false, failure: 'unreachable', attempts: 1 });
    expect(nodes.map(({ asked }) => asked.length)).toEqual([0, 1]);
    nodes[1]?.script(result('1'));
    expect(await ask({ onlyNode: 'node-1', fromHeight: 10 })).toMatchObject(from('node-1'));
  });

  test('for an unknown node is answered without asking any node', async () => {
    const { nodes, ask } = poolAt(undefined);
    expect(await ask({ onlyNode: 'node-7' })).toMatchObject({ ok: false, failure: 'cordoned', attempts: 0 });
    expect(nodes[0]?.asked).toEqual([]);
  });
});

test('a reply contains the number of nodes asked if it is not one', async () => {
  const { nodes, ask } = poolAt(undefined, undefined, undefined);
  expect(await ask({})).not.toHaveProperty('attempts');
  nodes[0]?.script('broken');
  expect(await ask({})).toMatchObject({ ...from('node-1'), attempts: 2 });
  for (const { script } of nodes) script('broken');
  expect(await ask({})).toMatchObject({ ok: false, attempts: 3 });
});
