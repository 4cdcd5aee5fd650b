import { expect, test } from 'bun:test';
import { rangeOf } from '@flowgate/bytes/byte-range';
import { evm } from '@flowgate/chain/families/evm';
import { createSimChain } from '../../../../test/fixtures/sim-chain.ts';
import { createSimHeads } from '../../../../test/fixtures/sim-heads.ts';
import { evaluateAnswer } from './evaluate-answer.ts';
import { neededHeight } from './needed-height.ts';

const address = `0x${'11'.repeat(20)}`;
const hex = (height: number) => `0x${height.toString(16)}`;

/** Two operator's nodes at the head of 40, as far as is known now. */
function scene() {
  const chain = createSimChain();
  chain.mine(40);
  const heads = { ...createSimHeads(chain), heightOf: (nodeId: string) => (nodeId === 'shared' ? undefined : 40) };
  heads.noteReported(40);
  const ownNodes = () => [{ nodeId: 'a' }, { nodeId: 'b' }];
  const noted: number[] = [];
  const deps = { heads, ownNodes, noteHead: (_nodeId: string, height: number) => void noted.push(height) };
  return {
    heads,
    noted,
    /** `known`: what the node was known to have when it was asked. */
    evaluate(nodeId: string, known: number | undefined, method: string, params: readonly unknown[], result: unknown) {
      const question = { method, params: rangeOf(JSON.stringify(params)) };
      const needed = neededHeight(evm, question);
      const answer = { kind: 'result', raw: rangeOf(JSON.stringify(result)) } as const;
      return evaluateAnswer(
        deps,
        question,
        needed,
        nodeId,
        answer,
        known === undefined ? undefined : new Map([[nodeId, known]]),
      );
    },
  };
}

test.each([
  ['eth_newFilter', '0x1'],
  ['trace_filter', []],
  ['erigon_getLogs', []],
])(
  "a range's end that a caller names does not raise the reported head: %s (contract/heads#the-head-never-goes-back)",
  async (method, result) => {
    const { evaluate, heads, noted } = scene();
    await evaluate('a', 40, method, [{ fromBlock: '0x1', toBlock: hex(41) }], result);
    expect([heads.reportedHeight(), noted]).toEqual([40, []]);
  },
);

test("the answer of a user's shared node never raises the head", async () => {
  const { evaluate, heads } = scene();
  await evaluate('shared', undefined, 'eth_getBalance', [address, hex(41)], '0x1');
  await evaluate('shared', undefined, 'eth_getBlockByNumber', ['latest', false], { number: hex(41) });
  await evaluate('shared', undefined, 'eth_getTransactionReceipt', [address], { blockNumber: hex(41) });
  await evaluate('shared', undefined, 'eth_getLogs', [{ toBlock: hex(41) }], [{ blockNumber: hex(41) }]);
  expect(heads.reportedHeight()).toBe(40);
});

test('a node is evaluated by its known height when the call was sent, not by a later height', async () => {
  const { evaluate } = scene();
  const logs = [{ fromBlock: hex(30), toBlock: hex(40) }];
  expect(await evaluate('a', 39, 'eth_getLogs', logs, [])).toBe('wrong');
  expect(await evaluate('a', 40, 'eth_getLogs', logs, [])).toBe('good');
  expect(await evaluate('a', -1, 'eth_getLogs', logs, [])).toBe('wrong');
  expect(await evaluate('a', 39, 'eth_getBalance', [address, 'latest'], '0x1')).toBe('wrong');
  expect(await evaluate('a', 40, 'eth_getBalance', [address, 'latest'], '0x1')).toBe('good');
});

test('a missing list of receipts is absent for a block that callers know of, and good for a later block', async () => {
  const { evaluate } = scene();
  expect(await evaluate('a', 40, 'eth_getBlockReceipts', [hex(40)], null)).toBe('absent');
  expect(await evaluate('a', 40, 'eth_getBlockReceipts', [hex(41)], null)).toBe('good');
});
