import { expect, test } from 'bun:test';
import { answered, otherChain, proof, result, scriptedNode } from '../../../test/fixtures/scripted-node.ts';

const epochMs = 1_800_000_000_000;

function watched() {
  const node = scriptedNode('n', result('"yes"'));
  node.node.start();
  return { ...node, status: () => node.node.status() };
}

test('a node is pending until its first check, which sets status, head, latency and time (contract/networks#status)', async () => {
  const { status, probe } = watched();
  expect(status()).toEqual({ status: 'pending' });
  await probe();
  expect(status()).toEqual({ status: 'healthy', blockHeight: 16, latencyMs: 7, checkedAtMs: epochMs + 7 });
});

test.each([
  ['no connection', 'connect'],
  ['another chain', otherChain],
  ['no answer for the head', 'head'],
] as const)(
  'after three failures in a row it is unhealthy, after one success healthy again: %s (contract/networks#status)',
  async (_name, failing) => {
    const { status, probe, whenProbed, whenAskedForHead } = watched();
    const fail = () => (failing === 'head' ? whenAskedForHead('broken') : whenProbed(failing));
    const succeed = () => {
      whenProbed(proof);
      whenAskedForHead(answered('{"jsonrpc":"2.0","id":0,"result":"0x2a"}'));
    };
    const seen: unknown[] = [];
    const check = async () => {
      await probe();
      seen.push(status().status);
    };
    fail();
    for (let nth = 0; nth < 4; nth++) await check();
    expect(seen.splice(0)).toEqual(['pending', 'pending', 'unhealthy', 'unhealthy']);
    succeed();
    await check();
    fail();
    for (let nth = 0; nth < 2; nth++) await check();
    succeed();
    await check();
    fail();
    for (let nth = 0; nth < 3; nth++) await check();
    expect(seen).toEqual(['healthy', 'healthy', 'healthy', 'healthy', 'healthy', 'healthy', 'unhealthy']);
    expect(status()).toMatchObject({ status: 'unhealthy', blockHeight: 42 });
  },
);

test('a node that proves its chain and reports no head is unhealthy, but its circuit stays closed', async () => {
  const { node, probe, whenAskedForHead, nextProbeMs } = watched();
  whenAskedForHead('timeout');
  for (let nth = 0; nth < 3; nth++) await probe();
  expect([node.status().status, node.isCircuitOpen(), nextProbeMs()]).toEqual(['unhealthy', false, 15_000]);
});
