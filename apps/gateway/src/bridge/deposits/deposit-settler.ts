/** Updates deposits from both chains: their progress, their end on L2, what became of deposits that L1 has lost, and why others are stalled (contract/deposits#statuses). */

import { askInLanes } from '../chain/ask-in-lanes.ts';
import { ChainAway } from '../chain/chain-reader.ts';
import { newestRead } from '../indexing/newest-read.ts';
import type { Round, RoundTerms, Settler } from '../indexing/settler.ts';
import type { CheckStalled } from './check-stalled.ts';
import type { DepositRecord } from './deposit.ts';
import { type ProgressLimits, progressLimits } from './deposit-progress.ts';
import type { DepositOutcome, DepositProgressStore, DepositWait } from './deposit-store.ts';
import { originQuestion, readOrigin } from './l2-origin.ts';

export type DepositSettlerDeps = { readonly store: DepositProgressStore; readonly checkStalled: CheckStalled };

/** The limits of one round. */
const maxEnds = 1_000;
const maxSteps = 500;
const maxLost = 100;
const maxChecks = 50;
/** The delay until a deposit without an end is checked again: a fraction of its waiting time, within these bounds. */
const waitPart = 1 / 8;
const minWaitMs = 250;
const maxWaitMs = 60_000;
/** The time for which the transaction of a lost deposit may still be mined again. */
const givenUpAfterMs = 86_400_000;

type FencedRound = Round & { readonly fence: RoundTerms };
type Origins = { readonly head: number | undefined; readonly read: number | undefined };

export function depositSettler({ store, checkStalled }: DepositSettlerDeps): Settler {
  /** What the last read of L2 returned. It is reused while L2's state is the same. */
  let known: { readonly key: string; readonly origins: Origins } | undefined;

  async function originsOf({ l2 }: FencedRound): Promise<Origins> {
    const { head, nextBlock, epoch } = l2.state;
    if (head === undefined) return { head: undefined, read: undefined };
    const isCaughtUp = nextBlock > head.number;
    const key = `${head.hash} ${epoch} ${isCaughtUp ? '' : nextBlock}`;
    if (known?.key === key) return known.origins;
    const blocks = isCaughtUp ? [head.number] : [head.number, Math.max(0, nextBlock - 1)];
    const answers = await l2.chain.ask(blocks.map(originQuestion));
    const origin = readOrigin(answers[0]);
    // Where L2 does not report its L1 origin, every deposit that was read may be there.
    const read = isCaughtUp ? (origin ?? Number.MAX_SAFE_INTEGER) : readOrigin(answers[1]);
    const origins = { head: origin, read };
    if (origin !== undefined) known = { key, origins };
    return origins;
  }

  /** Reads the ends of deposits in L1 blocks that L2 has reached, as far as L2 was read. */
  async function readEnds(round: FencedRound, upTo: number, limits: ProgressLimits): Promise<'done' | 'more'> {
    const { bridge, l2, nowMs, fence } = round;
    const due = await store.due(bridge.bridgeId, upTo, nowMs, maxEnds);
    if (due.length === 0) return 'done';
    const answers = await askInLanes(
      l2.chain,
      due.map(({ l2Hash }) => ({ method: 'eth_getTransactionReceipt', params: [l2Hash] })),
    );
    const answered = due.map((deposit, at) => ({ deposit, receipt: readL2Receipt(answers[at], deposit.l2Hash) }));
    const ends = answered.flatMap(({ deposit, receipt }) => outcomeOf(deposit, receipt, l2.state.nextBlock) ?? []);
    const ended = new Set(ends.map(({ deposit }) => deposit));
    const waits = answered.filter(({ deposit }) => !ended.has(deposit));
    if (ends.length > 0) await store.end(ends, nowMs, fence);
    if (waits.length > 0)
      await store.putOff(
        waits.map(({ deposit, receipt }) => waitOf(deposit, deposit.statusChangedAtMs, nowMs, isAbsent(receipt))),
        limits,
        nowMs,
        fence,
      );
    return due.length === maxEnds ? 'more' : 'done';
  }

  /** Gives up deposits whose nonce another transaction used in a block that was read, and those that have waited for a day. */
  async function readLost({ bridge, l1, nowMs, fence }: FencedRound): Promise<'done' | 'more'> {
    const lost = await store.lost(bridge.bridgeId, nowMs, maxLost);
    if (lost.length === 0) return 'done';
    const at = `0x${Math.max(0, l1.state.nextBlock - 1).toString(16)}`;
    const counts = await l1.chain.ask(
      lost.map(({ sender }) => ({ method: 'eth_getTransactionCount', params: [sender, at] })),
    );
    const isGone = ({ nonce, lostAtMs = nowMs }: DepositRecord, count: unknown) =>
      nowMs - lostAtMs >= givenUpAfterMs ||
      (typeof count === 'string' && /^0x[0-9a-f]{1,13}$/i.test(count) && Number(count) > nonce);
    const gone = lost.filter((deposit, place) => isGone(deposit, counts[place]));
    const waiting = lost.filter((deposit) => !gone.includes(deposit));
    if (gone.length > 0) await store.giveUp(gone, nowMs, fence);
    const waits = waiting.map((deposit) => waitOf(deposit, deposit.lostAtMs ?? nowMs, nowMs, false));
    if (waits.length > 0) await store.putOff(waits, { confirmed: -1, relaying: -1 }, nowMs, fence);
    return lost.length === maxLost ? 'more' : 'done';
  }

  async function settleOpen(round: FencedRound): Promise<'done' | 'more'> {
    const { bridge, l1, nowMs, fence } = round;
    const seen = { l1Head: newestRead(l1.state), confirmations: bridge.confirmations };
    const advance = async (limits: ProgressLimits) =>
      (await store.advance(bridge, limits, maxSteps, nowMs, fence)) >= maxSteps ? 'more' : 'done';
    let origins: Origins;
    let ends: 'done' | 'more';
    try {
      origins = await originsOf(round);
      const limits = progressLimits({ ...seen, l2Origin: origins.head });
      ends = await readEnds(round, origins.read ?? -1, limits);
    } catch (error) {
      // Results that depend on L1 alone count without L2, too.
      if (error instanceof ChainAway) await advance(progressLimits({ ...seen, l2Origin: undefined }));
      throw error;
    }
    const steps = await advance(progressLimits({ ...seen, l2Origin: origins.head }));
    return ends === 'more' || steps === 'more' ? 'more' : 'done';
  }

  async function settleStalled({ bridge, nowMs, fence }: FencedRound): Promise<'done'> {
    await checkStalled(await store.stalled(bridge, maxChecks, nowMs, fence), nowMs);
    return 'done';
  }

  return {
    name: 'deposits',
    async settle(round) {
      const { bridge, l1, l2, lease } = round;
      const own: FencedRound = { ...round, fence: { lease, epochs: [l1.state, l2.state] } };
      const parts = [readLost, settleOpen, settleStalled];
      const ends: ('done' | 'more')[] = [];
      let away: ChainAway | undefined;
      for (const part of parts) {
        if (part === settleOpen && !(await store.isAnyOpen(bridge.bridgeId))) continue;
        try {
          ends.push(await part(own));
        } catch (error) {
          if (!(error instanceof ChainAway)) throw error;
          away = error;
        }
      }
      if (away !== undefined) throw away;
      return ends.includes('more') ? 'more' : 'done';
    },
  };
}

/** Ends that follow from the receipt alone. Whether a message was relayed is read from the messenger's logs, by the stream of L2. */
function outcomeOf(deposit: DepositRecord, receipt: L2Receipt, nextBlock: number): DepositOutcome | undefined {
  if (receipt.kind !== 'there' || receipt.block >= nextBlock) return undefined;
  const place = { deposit, l2Block: receipt.block, l2BlockHash: receipt.blockHash };
  if (!receipt.isSuccess) return { ...place, status: 'failed', failureReason: 'l2_reverted' };
  return deposit.messageHash === undefined ? { ...place, status: 'completed' } : undefined;
}

function isAbsent({ kind }: L2Receipt): boolean {
  return kind === 'absent';
}

function waitOf(deposit: DepositRecord, sinceMs: number, nowMs: number, isAbsent: boolean): DepositWait {
  const waitMs = Math.min(maxWaitMs, Math.max(minWaitMs, (nowMs - sinceMs) * waitPart));
  return { deposit, isAbsent, dueAtMs: Math.ceil(nowMs + waitMs) };
}

type L2Receipt =
  | { readonly kind: 'there'; readonly block: number; readonly blockHash: string; readonly isSuccess: boolean }
  /** L2 does not have it. */
  | { readonly kind: 'absent' }
  /** No answer of the expected form. */
  | { readonly kind: 'unclear' };

/** Reads the receipt of a deposit's transaction on L2. */
export function readL2Receipt(answer: unknown, wanted: string): L2Receipt {
  if (answer === null) return { kind: 'absent' };
  if (typeof answer !== 'object' || answer === undefined) return { kind: 'unclear' };
  const { transactionHash, blockNumber, blockHash, status }: Record<string, unknown> = { ...answer };
  const isOwn = typeof transactionHash === 'string' && transactionHash.toLowerCase() === wanted;
  const isPlaced =
    typeof blockNumber === 'string' &&
    /^0x[0-9a-f]{1,13}$/i.test(blockNumber) &&
    typeof blockHash === 'string' &&
    /^0x[0-9a-f]{64}$/i.test(blockHash);
  if (!isOwn || !isPlaced || (status !== '0x0' && status !== '0x1')) return { kind: 'unclear' };
  return { kind: 'there', block: Number(blockNumber), blockHash: blockHash.toLowerCase(), isSuccess: status === '0x1' };
}
