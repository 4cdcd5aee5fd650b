/** Checks the L1 transactions of stalled deposits, at most once a minute across all gateways (contract/deposits#stalled). */

import { settledWithin } from '@flowgate/async/bounded-waits';
import type { Bridge } from '../bridges/bridge.ts';
import type { ChainReader } from '../chain/chain-reader.ts';
import { type DepositRecord, isStalled } from './deposit.ts';
import type { DepositStore } from './deposit-store.ts';
import { originQuestion, readOrigin } from './l2-origin.ts';
import { readTransaction, stalledReason } from './stalled-reason.ts';

/** The results of checks, by deposit id. Deposits without an entry are not stalled, or were not checked now. */
export type CheckStalled = (records: readonly DepositRecord[], nowMs: number) => Promise<ReadonlyMap<string, string>>;

export type StalledCheckDeps = {
  readonly bridges: readonly Bridge[];
  readonly store: Pick<DepositStore, 'claimChecks' | 'storeReasons'>;
  readonly chainOf: (side: Bridge['l1']) => ChainReader;
};

const everyMs = 60_000;

/** Rejects with `Unavailable` when the storage does not answer. A chain that is away yields no result: the next check is a minute later. */
export function createStalledCheck({ bridges, store, chainOf }: StalledCheckDeps): CheckStalled {
  const chains = new Map(bridges.map((bridge) => [bridge, { l1: chainOf(bridge.l1), l2: chainOf(bridge.l2) }]));

  async function checkBridge(bridge: Bridge, deposits: readonly DepositRecord[]): Promise<ReadonlyMap<string, string>> {
    const chain = chains.get(bridge);
    if (chain === undefined || deposits.length === 0) return new Map();
    const hashes = [...new Set(deposits.map(({ transactionHash }) => transactionHash))];
    const questions = ['eth_getTransactionReceipt', 'eth_getTransactionByHash'].flatMap((method) =>
      hashes.map((hash) => ({ method, params: [hash] })),
    );
    const [onL1, onL2] = await Promise.all([
      unlessAway(chain.l1.ask([{ method: 'eth_blockNumber', params: [] }, ...questions])),
      unlessAway(chain.l2.ask([originQuestion('latest')])),
    ]);
    if (onL1 === undefined) return new Map();
    const [head, ...answers] = onL1;
    const l2Origin = readOrigin(onL2?.[0]);
    return new Map(
      deposits.flatMap((deposit) => {
        const at = hashes.indexOf(deposit.transactionHash);
        const transaction = readTransaction(head, answers[at], answers[hashes.length + at]);
        const reason = stalledReason(transaction, { confirmations: bridge.confirmations, l2Origin });
        return reason === undefined ? [] : [[deposit.depositId, reason] as const];
      }),
    );
  }

  return async (records, nowMs) => {
    const stalled = bridges.map((bridge) => ({
      bridge,
      deposits: records.filter(
        ({ bridgeId, ...record }) => bridgeId === bridge.bridgeId && isStalled(record, bridge, nowMs),
      ),
    }));
    const ids = stalled.flatMap(({ deposits }) => deposits.map(({ depositId }) => depositId));
    const claimed = ids.length === 0 ? new Set() : await store.claimChecks(ids, everyMs, nowMs);
    if (claimed.size === 0) return new Map();
    const shown = await Promise.all(
      stalled.map(({ bridge, deposits }) =>
        checkBridge(
          bridge,
          deposits.filter(({ depositId }) => claimed.has(depositId)),
        ),
      ),
    );
    const reasons = new Map(shown.flatMap((each) => [...each]));
    await store.storeReasons(
      records.flatMap((deposit) => {
        const reason = reasons.get(deposit.depositId);
        return reason === undefined ? [] : [{ deposit, reason }];
      }),
    );
    return reasons;
  };
}

/** For a request: results that arrive after this time are stored when they come. Never rejects. */
export function checkWithin(check: CheckStalled, ms: number): CheckStalled {
  return async (records, nowMs) => {
    const none: ReadonlyMap<string, string> = new Map();
    const checking = check(records, nowMs).catch(() => none);
    return await settledWithin(ms, checking, none);
  };
}

async function unlessAway(answers: Promise<readonly unknown[]>): Promise<readonly unknown[] | undefined> {
  try {
    return await answers;
  } catch {
    return undefined;
  }
}
