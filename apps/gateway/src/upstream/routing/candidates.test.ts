import { describe, expect, test } from 'bun:test';
import { createManualClock } from '@flowgate/testing/manual-clock';
import { answered, result, scriptedNode } from '../../../test/fixtures/scripted-node.ts';
import { createNodePool } from './node-pool.ts';

/** `heads`: what each node has told; undefined: nothing yet. */
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
  test('a node that is known to be lower is not asked while another is there', async () => {
    expect(await poolAt(9, 10).ask({ fromHeight: 10 })).toMatchObject(from('node-1'));
    expect(await poolAt(10, 11).ask({ fromHeight: 10 })).toMatchObject(from('node-0'));
    expect(await poolAt(9, 10).ask({})).toMatchObject(from('node-0'));
  });

  test('one that has told its head goes before one that has not, and that before one that lacks the block', async () => {
    expect(await poolAt(9, undefined, 10).ask({ fromHeight: 10 })).toMatchObject(from('node-2'));
    expect(await poolAt(9, undefined).ask({ fromHeight: 10 })).toMatchObject(from('node-1'));
  });

  test('when none has reached it, the highest one is asked', async () => {
    expect(await poolAt(7, 9, 8).ask({ fromHeight: 10 })).toMatchObject(from('node-1'));
  });

  test('counts more than health: a node that failed and holds the block goes before a healthy one without it', async () => {
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
  test('is sent to it and to no other, whatever comes of it', async () => {
    const { nodes, ask } = poolAt(undefined, undefined);
    nodes[1]?.script('connect');
    expect(await ask({ onlyNode: 'node-1' })).toMatchObject({ ok: false, failure: 'unreachable', attempts: 1 });
    expect(nodes.map(({ asked }) => asked.length)).toEqual([0, 1]);
    nodes[1]?.script(result('1'));
    expect(await ask({ onlyNode: 'node-1', fromHeight: 10 })).toMatchObject(from('node-1'));
  });

  test('that is not there is answered without asking any', async () => {
    const { nodes, ask } = poolAt(undefined);
    expect(await ask({ onlyNode: 'node-7' })).toMatchObject({ ok: false, failure: 'cordoned', attempts: 0 });
    expect(nodes[0]?.asked).toEqual([]);
  });
});

test('a reply says how many nodes were asked, when it was not one', async () => {
  const { nodes, ask } = poolAt(undefined, undefined, undefined);
  expect(await ask({})).not.toHaveProperty('attempts');
  nodes[0]?.script('broken');
  expect(await ask({})).toMatchObject({ ...from('node-1'), attempts: 2 });
  for (const { script } of nodes) script('broken');
  expect(await ask({})).toMatchObject({ ok: false, attempts: 3 });
});
