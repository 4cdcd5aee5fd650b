import { describe, expect, test } from 'bun:test';
import { rangeOf } from '@flowgate/bytes/byte-range';
import { evm } from '@flowgate/chain/families/evm';
import type { NodeBatch, NodeCall } from '../../../upstream/port/node-port.ts';
import { guardSharedNodes } from './guard-shared-nodes.ts';

const hashAt = (height: number) => `0x${height.toString(16).padStart(64, '0')}`;
const account = `0x${'11'.repeat(20)}`;
/** The newest of the ten stored blocks. */
const head = 40;

function scene({ hasReported = true, hasSharedNodes = true } = {}) {
  const asked: (NodeCall | NodeBatch)[] = [];
  const failed = { ok: false, failure: 'unreachable', maybeDelivered: false } as const;
  const port = guardSharedNodes(
    {
      send: (call) => {
        asked.push(call);
        return Promise.resolve(failed);
      },
      sendBatch: (batch) => {
        asked.push(batch);
        return Promise.resolve(failed);
      },
    },
    {
      family: evm,
      hasSharedNodes: () => hasSharedNodes,
      heads: {
        head: () => ({ number: head, hash: hashAt(head), parentHash: hashAt(head - 1), nodeId: 'own' }),
        hashAt: (height) => (height > head - 10 && height <= head ? hashAt(height) : undefined),
        reportedHeight: () => (hasReported ? head : undefined),
      },
    },
  );
  return {
    async isOwnOnly(method: string, params: readonly unknown[], terms: Partial<NodeCall> = {}) {
      const repeatable = evm.reads.has(method);
      const call: NodeCall = { method, params: rangeOf(JSON.stringify(params)), repeatable, ...terms };
      await port.send(call);
      const { method: _, params: __, ...ofBatch } = call;
      await port.sendBatch({ ...ofBatch, questions: [{ method: 'eth_chainId', params: undefined }, call] });
      const [one, batch] = asked.splice(0);
      // A batch needs what its most demanding element needs.
      expect(batch?.ownOnly).toBe(one?.ownOnly);
      return one?.ownOnly === true;
    },
  };
}

describe('questions for nodes of users (contract/nodes#what-shared-nodes-are-asked)', () => {
  test.each<readonly [string, readonly unknown[]]>([
    ['eth_chainId', []],
    ['eth_getBalance', [account, '0x10']],
    ['eth_getBalance', [account, 'earliest']],
    ['eth_getLogs', [{ fromBlock: '0x1', toBlock: '0x10' }]],
    ['eth_getLogs', [{ blockHash: hashAt(31) }]],
    ['eth_getBlockByHash', [hashAt(head), false]],
    ['eth_call', [{ to: account }, { blockHash: hashAt(35) }]],
    ['eth_sendRawTransaction', ['0x00']],
  ])('%s %j', async (method, params) => {
    expect(await scene().isOwnOnly(method, params)).toBe(false);
  });
});

describe('questions for the operator’s nodes only (contract/nodes#what-shared-nodes-are-asked)', () => {
  test.each<readonly [string, readonly unknown[]]>([
    ['eth_getTransactionReceipt', [hashAt(1)]],
    ['eth_getTransactionByHash', [hashAt(1)]],
    ['eth_getBlockByHash', [hashAt(41), false]],
    ['eth_getLogs', [{ blockHash: hashAt(30) }]],
    ['eth_call', [{ to: account }, { blockHash: hashAt(99) }]],
    ['eth_getBalance', [account, '0x29']],
    ['eth_getLogs', [{ fromBlock: '0x1', toBlock: '0x29' }]],
  ])('%s %j, before and after a head was reported', async (method, params) => {
    expect(await scene().isOwnOnly(method, params)).toBe(true);
    expect(await scene({ hasReported: false }).isOwnOnly(method, params)).toBe(true);
  });

  test.each<readonly [string, readonly unknown[]]>([
    ['eth_getBalance', [account, 'latest']],
    ['eth_getBalance', [account]],
    ['eth_getTransactionCount', [account, 'pending']],
    ['eth_getBlockByNumber', ['finalized', false]],
    ['eth_getLogs', [{ fromBlock: '0x1' }]],
    ['eth_getLogs', [{ fromBlock: '0x1', toBlock: 'safe' }]],
    ['eth_blockNumber', []],
    ['eth_gasPrice', []],
    ['eth_newBlockFilter', []],
    ['eth_newFilter', [{ fromBlock: '0x1', toBlock: '0x2' }]],
  ])('%s %j, after a head was reported', async (method, params) => {
    expect(await scene().isOwnOnly(method, params)).toBe(true);
    expect(await scene({ hasReported: false }).isOwnOnly(method, params)).toBe(false);
  });

  test('no restriction, if a call names its node or no node is shared', async () => {
    expect(await scene().isOwnOnly('eth_gasPrice', [], { onlyNode: 'shared' })).toBe(false);
    expect(await scene({ hasSharedNodes: false }).isOwnOnly('eth_gasPrice', [])).toBe(false);
  });
});
