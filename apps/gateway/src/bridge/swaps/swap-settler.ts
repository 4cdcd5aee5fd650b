/** Checks swaps whose blocks were lost: their transactions may be mined again, fail, or never return (contract/history#swaps). */

import { hashIn, membersOf, quantityIn } from '@flowgate/chain/blocks/json-rpc-values';
import type { ChainReader } from '../chain/chain-reader.ts';
import type { ReadBlock } from '../indexing/index-store.ts';
import type { PoolRound, PoolSettler } from '../indexing/settler.ts';
import type { LostSwap, SwapFinding, SwapStore } from './swap-store.ts';

/** All calls of a check fit into one batch, which one node answers. */
const swapsPerRound = 20;
const dayMs = 86_400_000;
const minPauseMs = 5_000;
const maxPauseMs = 300_000;
/** Later than any clock, and exact in milliseconds. */
const latestSeconds = 2 ** 42;

export function swapSettler(store: SwapStore): PoolSettler {
  return { name: 'swaps', settle: (round) => settleLostSwaps(store, round) };
}

async function settleLostSwaps(
  store: SwapStore,
  { chain, state, lease, nowMs }: Omit<PoolRound, 'pools' | 'side' | 'signal'>,
): Promise<'done' | 'more'> {
  const { swaps, tip } = await store.lost(state.streamId, nowMs, swapsPerRound);
  if (swaps.length === 0 || tip === undefined) return 'done';
  const block = `0x${tip.number.toString(16)}`;
  const [seen, ...answers] = await chain.ask([
    // The first call: a node with another block there is on another fork than the stream, so its answers do not count.
    { method: 'eth_getBlockByNumber', params: [block, false] },
    ...swaps.flatMap(({ transactionHash, from }) => [
      { method: 'eth_getTransactionReceipt', params: [transactionHash] },
      { method: 'eth_getTransactionCount', params: [from, block] },
    ]),
  ]);
  const isOnFork = hashIn(membersOf(seen)['hash']) === tip.hash;
  const sightings = swaps.map((swap, at): Sighting => {
    if (!isOnFork) return { kind: 'unclear' };
    return sightingOf(swap, answers[2 * at], answers[2 * at + 1], state.nextBlock);
  });
  const times = await timesOf(
    chain,
    sightings.flatMap((each) => (each.kind === 'failed' ? [each.block] : [])),
  );
  const findings = swaps.map((swap, at) => ({
    swap,
    finding: findingOf(swap, sightings[at] ?? { kind: 'unclear' }, times, nowMs),
  }));
  await store.settle(findings, state, lease);
  return swaps.length === swapsPerRound ? 'more' : 'done';
}

type Sighting =
  | { readonly kind: 'unclear' | 'missing' | 'gone' }
  | { readonly kind: 'failed'; readonly block: ReadBlock };

function sightingOf(swap: LostSwap, receipt: unknown, count: unknown, nextBlock: number): Sighting {
  if (receipt === null) {
    const used = quantityIn(count);
    if (used === undefined) return { kind: 'unclear' };
    return { kind: used > swap.nonce ? 'gone' : 'missing' };
  }
  const { transactionHash, blockNumber, blockHash, status } = membersOf(receipt);
  if (hashIn(transactionHash) !== swap.transactionHash) return { kind: 'unclear' };
  const [number, hash] = [quantityIn(blockNumber), hashIn(blockHash)];
  // The stream is still to read this block.
  if (number === undefined || number >= nextBlock || hash === undefined) return { kind: 'unclear' };
  if (status === '0x0') return { kind: 'failed', block: { number, hash } };
  // It succeeded in a block that was read, and the pool's log is not there: it did something else this time.
  return { kind: status === '0x1' ? 'gone' : 'unclear' };
}

function findingOf(
  { lostAtMs }: LostSwap,
  sighting: Sighting,
  times: ReadonlyMap<string, number>,
  nowMs: number,
): SwapFinding {
  if (sighting.kind === 'gone') return { kind: 'dropped' };
  if (sighting.kind === 'failed') {
    const blockTimeMs = times.get(sighting.block.hash);
    if (blockTimeMs !== undefined) return { kind: 'failed', block: sighting.block, blockTimeMs };
  }
  const ageMs = Math.max(0, nowMs - lostAtMs);
  if (sighting.kind === 'missing' && ageMs >= dayMs) return { kind: 'dropped' };
  return { kind: 'unknown', dueAtMs: nowMs + Math.min(maxPauseMs, Math.max(minPauseMs, Math.floor(ageMs / 8))) };
}

async function timesOf(chain: ChainReader, blocks: readonly ReadBlock[]): Promise<ReadonlyMap<string, number>> {
  const hashes = [...new Set(blocks.map(({ hash }) => hash))];
  if (hashes.length === 0) return new Map();
  const answers = await chain.ask(hashes.map((hash) => ({ method: 'eth_getBlockByHash', params: [hash, false] })));
  return new Map(
    hashes.flatMap((hash, at) => {
      const block = membersOf(answers[at]);
      const seconds = hashIn(block['hash']) === hash ? quantityIn(block['timestamp']) : undefined;
      return seconds === undefined || seconds > latestSeconds ? [] : [[hash, seconds * 1_000] as const];
    }),
  );
}
