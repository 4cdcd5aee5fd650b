/** One of the two chains of the local rollup, as the rollup's process reads and changes it. */

import {
  type Abi,
  type Address,
  createPublicClient,
  createWalletClient,
  defineChain,
  encodeDeployData,
  getAddress,
  type Hex,
  http,
  type LocalAccount,
  type PublicClient,
  type TransactionReceipt,
  type WalletClient,
} from 'viem';
import { boundedText } from '../bounded-text.ts';

export type RollupChain = {
  readonly url: string;
  readonly chainId: number;
  readonly reader: PublicClient;
  /** Sends and waits; @throws when the transaction was reverted. */
  readonly send: (
    account: LocalAccount,
    transaction: { to: Address; data?: Hex; value?: bigint },
  ) => Promise<TransactionReceipt>;
  readonly deploy: (
    account: LocalAccount,
    contract: { abi: Abi; bytecode: Hex },
    args?: readonly unknown[],
  ) => Promise<Address>;
  /** Makes the next block this many seconds later. */
  readonly later: (seconds: number) => Promise<void>;
  /** From now on only {@link later} moves the chain's time, instead of the clock. `at`, in seconds, is the time of a block that is mined now. */
  readonly holdTime: (at: number) => Promise<void>;
  /**
   * Any JSON-RPC call;
   * @throws with the node's error.
   */
  readonly ask: (method: string, params: readonly unknown[]) => Promise<unknown>;
};

/** Deposits and proofs use more gas than an estimate, because the gas price on L2 changes with each block. */
const gasMargin = 2n;

type Answer = { readonly result?: unknown; readonly error?: { readonly message: string } };

export function rollupChain(url: string, chainId: number): RollupChain {
  const transport = http(url, { retryCount: 0, timeout: 30_000 });
  const chain = defineChain({
    id: chainId,
    name: `rollup ${chainId}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  });
  const reader = createPublicClient({ chain, transport, pollingInterval: 20, cacheTime: 0 });
  const writerOf = (account: LocalAccount): WalletClient => createWalletClient({ account, chain, transport });

  const mined = async (hash: Hex): Promise<TransactionReceipt> => {
    const receipt = await reader.waitForTransactionReceipt({ hash, timeout: 30_000 });
    if (receipt.status !== 'success') throw new Error(`The transaction ${hash} was reverted`);
    return receipt;
  };

  const ask: RollupChain['ask'] = async (method, params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const response = await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
    const answer: Answer = JSON.parse(await boundedText(response));
    if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`);
    return answer.result;
  };
  let isTimeStopped = false;

  return {
    url,
    chainId,
    reader,
    async send(account, transaction) {
      const gas = (await reader.estimateGas({ account, ...transaction })) * gasMargin;
      return await mined(await writerOf(account).sendTransaction({ account, chain, gas, ...transaction }));
    },
    async deploy(account, { abi, bytecode }, args = []) {
      const data = encodeDeployData({ abi, bytecode, args });
      const { contractAddress } = await mined(await writerOf(account).sendTransaction({ account, chain, data }));
      if (contractAddress === null || contractAddress === undefined) throw new Error('The deployment has no address');
      return getAddress(contractAddress);
    },
    async later(seconds) {
      if (!isTimeStopped) return void (await ask('evm_increaseTime', [seconds]));
      const { timestamp } = await reader.getBlock();
      await ask('evm_setNextBlockTimestamp', [Number(timestamp) + seconds]);
    },
    async holdTime(at) {
      isTimeStopped = true;
      await ask('evm_setNextBlockTimestamp', [at]);
      await ask('evm_mine', []);
      await ask('anvil_setBlockTimestampInterval', [0]);
    },
    ask,
  };
}
