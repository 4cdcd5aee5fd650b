/** The rollup's sequencer: derives L2 from L1 block by block with deposits in order, and follows reorganizations of either chain. */
import { type Address, encodeFunctionData, type Hex, keccak256, parseAbi, parseAbiItem, zeroHash } from 'viem';
import type { TransactionSerializableDeposit } from 'viem/chains';
import { getSourceHash, opaqueDataToDepositData, serializeTransaction } from 'viem/op-stack';
import { predeploys } from './deploy-l2.ts';
import type { RollupChain } from './rollup-chain.ts';

/** One derived block of L1, and L2's head afterwards. */
export type Derived = {
  readonly l1Number: number;
  readonly l1Hash: Hex;
  readonly l2Number: number;
  readonly l2Hash: Hex;
};

export type Sequencer = {
  /** Derives all available blocks; one derivation runs at a time. */
  readonly catchUp: () => Promise<void>;
  /** Resolves when nothing is being derived any more: later blocks of L1 are not derived until {@link Sequencer.resume}. */
  readonly pause: () => Promise<void>;
  readonly resume: () => void;
  /** L2's head after the last derived block. */
  readonly l2Number: () => number;
  /** Runs `work` while nothing is being derived. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
  readonly stop: () => Promise<void>;
};

export type SequencerOptions = {
  readonly l1: RollupChain;
  readonly l2: RollupChain;
  readonly portal: Address;
  /** Blocks derived earlier; the last entry is the newest. Reorganizations below the first are not followed. */
  readonly derived: readonly Derived[];
  /** Called with the derived blocks, to store them for a restart. */
  readonly changed: (derived: readonly Derived[]) => void;
  readonly onError: (error: unknown) => void;
};

/** The sender of each block's first transaction, which passes L1's attributes to L2 (specs.optimism.io, L1 attributes). */
const attributesSender: Address = '0xDeaDDEaDDeAdDeAdDEAdDEaddeAddEAdDEAd0001';
const attributesGas = 1_000_000n;
const maxStored = 4_096;
const pollMs = 100;
const receiptTimeoutMs = 20_000;
const deposited = parseAbiItem(
  'event TransactionDeposited(address indexed from, address indexed to, uint256 indexed version, bytes opaqueData)',
);
const attributesAbi = parseAbi([
  'function setL1BlockValues(uint64 number, uint64 timestamp, uint256 basefee, bytes32 hash, uint64 sequenceNumber, bytes32 batcherHash, uint256 feeOverhead, uint256 feeScalar)',
]);

export function startSequencer({ l1, l2, portal, derived: before, changed, onError }: SequencerOptions): Sequencer {
  let derived = [...before];
  let isPaused = false;
  let isStopped = false;
  /** The current work, and the queue behind it. */
  let turn: Promise<unknown> = Promise.resolve();

  function alone<T>(work: () => Promise<T>): Promise<T> {
    const mine = turn.then(work);
    turn = mine.catch(() => {});
    return mine;
  }

  async function derive(): Promise<void> {
    while (!isPaused && !isStopped) {
      await dropLost();
      const last = derived.at(-1);
      if (last === undefined) throw new Error('No block to start with');
      const next = await blockAt(l1, last.l1Number + 1);
      if (next === undefined) return;
      // L1 was reorganized between the two reads.
      if (next.parentHash !== last.l1Hash) continue;
      await deriveBlock(next);
      const head = await l2.reader.getBlock();
      derived.push({
        l1Number: last.l1Number + 1,
        l1Hash: next.hash,
        l2Number: Number(head.number),
        l2Hash: head.hash,
      });
      derived = derived.slice(-maxStored);
      changed(derived);
    }
  }

  /** Rolls L2 back to the blocks that both chains still have. */
  async function dropLost(): Promise<void> {
    let lostOnL1 = false;
    for (let last = derived.at(-1); last !== undefined; last = derived.at(-1)) {
      const [onL1, onL2] = await Promise.all([blockAt(l1, last.l1Number), blockAt(l2, last.l2Number)]);
      if (onL1?.hash === last.l1Hash && onL2?.hash === last.l2Hash) break;
      if (derived.length === 1) throw new Error('A chain was reorganized below the remembered blocks');
      lostOnL1 ||= onL1?.hash !== last.l1Hash;
      derived.pop();
    }
    const good = derived.at(-1);
    if (!lostOnL1 || good === undefined) return;
    const head = Number(await l2.reader.getBlockNumber());
    if (head > good.l2Number) await l2.ask('anvil_rollback', [head - good.l2Number]);
    changed(derived);
  }

  async function deriveBlock(block: L1Block): Promise<void> {
    await include(attributesOf(block));
    const logs = await l1.reader.getLogs({ address: portal, event: deposited, blockHash: block.hash, strict: true });
    for (const { args, logIndex } of logs) {
      const { mint, value, gas, isCreation, data } = opaqueDataToDepositData(args.opaqueData);
      const sourceHash = getSourceHash({ domain: 'userDeposit', l1BlockHash: block.hash, l1LogIndex: logIndex });
      await include({
        type: 'deposit',
        ...{ sourceHash, from: args.from, mint, value, gas, data, isSystemTx: false },
        ...(isCreation ? {} : { to: args.to }),
      });
    }
  }

  /** One at a time, until it is mined: the pool accepts one deposit of a sender only, because their nonces appear equal. */
  async function include(transaction: TransactionSerializableDeposit): Promise<void> {
    const raw = serializeTransaction(transaction);
    const hash = keccak256(raw);
    const deadlineMs = performance.now() + receiptTimeoutMs;
    let isTaken = false;
    for (let refusal: unknown; (await l2.ask('eth_getTransactionReceipt', [hash])) === null; await Bun.sleep(5)) {
      if (performance.now() > deadlineMs) throw new Error(`L2 did not take the deposit ${hash}`, { cause: refusal });
      // If it was sent again after it was accepted, it could be executed twice, because the nonces of deposits are not checked.
      if (isTaken) continue;
      try {
        await l2.ask('eth_sendRawTransaction', [raw]);
        isTaken = true;
      } catch (error) {
        refusal = error;
      }
    }
  }

  const timer = setInterval(() => {
    if (!isPaused && !isRunning) void run();
  }, pollMs);
  let isRunning = false;
  async function run(): Promise<void> {
    isRunning = true;
    await alone(derive).catch(onError);
    isRunning = false;
  }

  return {
    catchUp: () => alone(derive),
    async pause() {
      isPaused = true;
      await turn;
    },
    resume: () => {
      isPaused = false;
    },
    l2Number: () => derived.at(-1)?.l2Number ?? 0,
    alone,
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await turn;
    },
  };
}

type L1Block = {
  readonly number: bigint;
  readonly hash: Hex;
  readonly parentHash: Hex;
  readonly timestamp: bigint;
  readonly baseFeePerGas: bigint | null;
};

async function blockAt(chain: RollupChain, number: number): Promise<L1Block | undefined> {
  return await chain.reader.getBlock({ blockNumber: BigInt(number) }).catch((error: unknown) => {
    if (error instanceof Error && error.name === 'BlockNotFoundError') return undefined;
    throw error;
  });
}

function attributesOf({ number, hash, timestamp, baseFeePerGas }: L1Block): TransactionSerializableDeposit {
  const args = [number, timestamp, baseFeePerGas ?? 0n, hash, 0n, zeroHash, 0n, 0n] as const;
  return {
    type: 'deposit',
    sourceHash: getSourceHash({ domain: 'l1InfoDeposit', l1BlockHash: hash, sequenceNumber: 0 }),
    from: attributesSender,
    to: predeploys.L1Block,
    gas: attributesGas,
    data: encodeFunctionData({ abi: attributesAbi, args }),
    isSystemTx: false,
  };
}
