/** Senders of transactions: which answers are valid, how many calls are in one batch, and that the log readers use them. */

import { expect, test } from 'bun:test';
import { type BridgeLog, l2Contracts } from '@flowgate/chain/blocks/bridge-log';
import { type Address, encodeAbiParameters, encodeEventTopics, encodePacked, type Hex, keccak256 } from 'viem';
import { messagePasserAbi, portalAbi } from '../decoding/bridge-abi.ts';
import { depositReader } from '../deposits/deposit-reader.ts';
import { withdrawalReader } from '../withdrawals/withdrawal-readers.ts';
import { ChainAway } from './chain-reader.ts';
import { transactionSenders } from './transaction-senders.ts';

const address = (digit: string): Address => `0x${digit.repeat(40)}`;
const hash = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`;
const ofTransaction = (number: number) => ({ transactionHash: hash(number), blockHash: hash(7) });

/** The block with the hash 7 contains the transactions of these senders, unless a test says otherwise. */
function chainWith(transaction: object | null = {}) {
  const asked: number[] = [];
  return {
    asked,
    async ask(questions: readonly { readonly params: readonly unknown[] }[]) {
      asked.push(questions.length);
      return questions.map(({ params: [first] }) =>
        transaction === null
          ? undefined
          : { hash: first, blockHash: hash(7), from: address('E'), nonce: '0x10', ...transaction },
      );
    },
  };
}

const notThere = [
  null,
  { blockHash: hash(8) },
  { blockHash: null },
  { blockHash: undefined },
  { hash: hash(8) },
  { from: '0x1' },
  { from: undefined },
  { nonce: 16 },
  { nonce: '0xfffffffffffffffff' },
];

test('each transaction is requested once, in batches; letter case does not matter', async () => {
  const chain = chainWith({ blockHash: hash(7).toUpperCase().replace('0X', '0x') });
  const logs = Array.from({ length: 900 }, (_, at) => ofTransaction(Math.floor(at / 2)));
  const senders = await transactionSenders(chain, logs);
  expect(senders.size).toBe(450);
  expect(new Set([...senders.values()].map(({ from, nonce }) => `${from} ${nonce}`))).toEqual(
    new Set([`${address('e')} 16`]),
  );
  expect(chain.asked).toEqual(Array.from({ length: 9 }, () => 50));
});

test('without logs, no call is made', async () => {
  const chain = chainWith();
  expect((await transactionSenders(chain, [])).size).toBe(0);
  expect(chain.asked).toEqual([]);
});

test('a transaction that is not in the block of its logs is a fault, not a sender', async () => {
  for (const transaction of notThere)
    expect(transactionSenders(chainWith(transaction), [ofTransaction(1)])).rejects.toThrow(ChainAway);
});

const contracts = {
  ...{ portal: address('1'), l1StandardBridge: address('2'), l1CrossDomainMessenger: address('3') },
  disputeGameFactory: address('4'),
};

function logOf(at: Address, topics: readonly unknown[], data: Hex): BridgeLog {
  const reported = topics.map((topic): Hex => `0x${String(topic).slice(2)}`);
  return { address: at, topics: reported, data, blockNumber: 7, logIndex: 0, ...ofTransaction(1) };
}

function depositLog(): BridgeLog {
  const opaqueData = encodePacked(['uint256', 'uint256', 'uint64', 'bool'], [5n, 5n, 100_000n, false]);
  const args = { from: address('5'), to: address('6'), version: 0n };
  const topics = encodeEventTopics({ abi: portalAbi, eventName: 'TransactionDeposited', args });
  return logOf(contracts.portal, topics, encodeAbiParameters([{ type: 'bytes' }], [opaqueData]));
}

/** The message passer stores the hash of all members (specs.optimism.io, Withdrawals). */
function withdrawalLog(): BridgeLog {
  const [nonce, sender, target, value, gasLimit, content] = [
    1n,
    address('5'),
    address('6'),
    5n,
    100_000n,
    '0x',
  ] as const;
  const typed = (...types: readonly string[]) => types.map((type) => ({ type }));
  const hashed = typed('uint256', 'address', 'address', 'uint256', 'uint256', 'bytes');
  const withdrawalHash = keccak256(encodeAbiParameters(hashed, [nonce, sender, target, value, gasLimit, content]));
  const topics = encodeEventTopics({ abi: messagePasserAbi, args: { nonce, sender, target } });
  const rest = typed('uint256', 'uint256', 'bytes', 'bytes32');
  const data = encodeAbiParameters(rest, [value, gasLimit, content, withdrawalHash]);
  return logOf(l2Contracts.messagePasser, topics, data);
}

const readers = [
  ['deposits', depositReader(contracts), depositLog()],
  ['withdrawals', withdrawalReader({ contracts }), withdrawalLog()],
] as const;

for (const [kind, reader, log] of readers)
  test(`${kind} are read with the sender of a transaction in their block, and not at all without it`, async () => {
    const blocks = new Map([[7, { number: 7, hash: hash(7), timestampMs: 5_000 }]]);
    const read = (transaction?: object | null) => reader.read({ logs: [log], blocks, chain: chainWith(transaction) });
    const facts = await read();
    expect(facts[kind]).toEqual([
      expect.objectContaining({ nth: 0, blockHash: hash(7), transaction: { from: address('e'), nonce: 16 } }),
    ]);
    for (const transaction of notThere) expect(read(transaction)).rejects.toThrow(ChainAway);
  });
