import { expect, test } from 'bun:test';
import type { BridgeLog } from '@flowgate/chain/blocks/bridge-log';
import { type Address, encodeAbiParameters, encodeEventTopics, encodePacked, type Hex, toHex } from 'viem';
import type { ChainReader } from '../chain/chain-reader.ts';
import { portalAbi } from '../decoding/bridge-abi.ts';
import { aliasOf } from '../decoding/deposit-log.ts';
import { depositReader } from './deposit-reader.ts';

const address = (digit: string): Address => `0x${digit.repeat(40)}`;
const hash = (number: number): Hex => toHex(number, { size: 32 });
const contracts = {
  portal: address('a'),
  l1StandardBridge: address('b'),
  l1CrossDomainMessenger: address('c'),
  disputeGameFactory: address('d'),
};
const [alice, relayer, wallet] = [address('1'), address('2'), address('3')];

function deposited(number: number, from: Address): BridgeLog {
  const topics = encodeEventTopics({
    ...{ abi: portalAbi, eventName: 'TransactionDeposited' },
    args: { from, to: alice, version: 0n },
  });
  const content = encodePacked(['uint256', 'uint256', 'uint64', 'bool'], [5n, 5n, 21_000n, false]);
  return {
    ...{
      address: contracts.portal,
      topics: topics as Hex[],
      data: encodeAbiParameters([{ type: 'bytes' }], [content]),
    },
    ...{ blockNumber: 7, blockHash: hash(7), transactionHash: hash(100 + number), logIndex: number },
  };
}

test('the sender of a deposit in a transaction that another account signed: a contract without its alias, and a delegated account, which has none (contract/deposits#fields)', async () => {
  const asked: string[] = [];
  const code: Readonly<Record<string, string>> = { [alice]: `0xef0100${'9'.repeat(40)}`, [wallet]: '0x6001' };
  const chain: ChainReader = {
    async ask(questions) {
      return questions.map(({ method, params: [first] }) => {
        if (method === 'eth_getTransactionByHash')
          return { hash: first, blockHash: hash(7), from: relayer, nonce: '0x4' };
        asked.push(`${method} ${first}`);
        return code[String(first).toLowerCase()] ?? '0x';
      });
    },
  };
  const logs = [
    deposited(0, alice),
    deposited(1, aliasOf(wallet)),
    deposited(2, relayer),
    deposited(3, aliasOf(alice)),
  ];
  const blocks = new Map([[7, { number: 7, hash: hash(7), timestampMs: 9_000 }]]);
  const { deposits = [] } = await depositReader(contracts).read({ logs, blocks, chain });
  expect(deposits.map(({ deposit }) => deposit.from.toLowerCase() as Address)).toEqual([alice, wallet, relayer, alice]);
  // The signer needs no call.
  expect(asked).toHaveLength(3);
});
