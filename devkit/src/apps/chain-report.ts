/** The figures that the paid report sells, read from the chain. */
import type { Address, PublicClient } from 'viem';
import { devTokenAbi } from '../contracts/dev-token-code.ts';

export type ChainReport = {
  /** Number of blocks read: fewer than requested on a chain with fewer blocks. */
  readonly blocks: number;
  readonly firstBlock: number;
  readonly lastBlock: number;
  readonly transactions: number;
  readonly gasUsed: string;
  /** Wei. */
  readonly baseFeePerGas: string;
  /** Base units of the development dollar. */
  readonly tokenSupply: string;
};

/** Reads the `wanted` newest blocks; `wanted` is at least 1. */
export async function readChainReport(chain: PublicClient, token: Address, wanted: number): Promise<ChainReport> {
  const last = await chain.getBlock();
  const count = Math.min(wanted, Number(last.number) + 1);
  const earlier = Array.from({ length: count - 1 }, (_, back) =>
    chain.getBlock({ blockNumber: last.number - BigInt(back + 1) }),
  );
  const [blocks, tokenSupply] = await Promise.all([
    Promise.all(earlier),
    chain.readContract({ address: token, abi: devTokenAbi, functionName: 'totalSupply', blockNumber: last.number }),
  ]);
  const all = [last, ...blocks];
  return {
    blocks: count,
    firstBlock: Number(last.number) - count + 1,
    lastBlock: Number(last.number),
    transactions: all.reduce((sum, { transactions }) => sum + transactions.length, 0),
    gasUsed: String(all.reduce((sum, { gasUsed }) => sum + gasUsed, 0n)),
    baseFeePerGas: String(last.baseFeePerGas ?? 0n),
    tokenSupply: String(tokenSupply),
  };
}
