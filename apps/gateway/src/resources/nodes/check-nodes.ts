/** The leader's job: checks every registered node at every interval, fairly for their owners, and stores outcomes in batches (contract/nodes#checks). */

import { pause } from '@flowgate/async/bounded-waits';
import { RoundRobin } from '@flowgate/async/round-robin';
import type { Clock } from '@flowgate/base/clock';
import { messageOf } from '@flowgate/base/text';
import { Unavailable } from '@flowgate/base/unavailable';
import type { Log } from '@flowgate/telemetry/log';
import type { NodeCheck } from './node-check.ts';
import type { CheckOutcome, NodeRecord, NodeStore } from './node-store.ts';

export type CheckNodesDeps = {
  /** All nodes of configured networks at this moment. */
  readonly nodes: () => Iterable<NodeRecord>;
  /** Changes when the nodes do. */
  readonly revision: () => number;
  /** Never rejects. */
  readonly check: (record: NodeRecord) => Promise<NodeCheck>;
  readonly store: Pick<NodeStore, 'recordChecks' | 'forgetRemoved'>;
  /** Called when outcomes were stored that decide whether gateways call nodes. */
  readonly changed: () => Promise<void>;
  readonly intervalMs: number;
  readonly clock: Clock;
  readonly log: Log;
};

/** Nodes that answered last time and nodes that did not have separate queues, so that hanging nodes do not delay others. */
export const checksAtOnce = {
  answering: { maxRunning: 192, maxRunningOfOwner: 4 },
  failing: { maxRunning: 64, maxRunningOfOwner: 4 },
} as const;

/** Consecutive failures. */
const failuresToUnhealthy = 3;
/** The maximum time between two searches for due nodes. Outcomes are stored at the same interval, so that a batch is worth its write. */
const maxTickMs = 500;
/** The delay until a node that could not be asked is due again. */
const soonMs = 1_000;
/** How long removed nodes are remembered: longer than any gateway can miss a removal without reloading all nodes. */
const rememberRemovedMs = 86_400_000;

type Found = { readonly outcome: CheckOutcome; readonly raise: boolean };

type Watched = {
  record: NodeRecord;
  dueMs: number;
  /** Consecutive failures that this leader has seen. */
  failures: number;
  /** Whether it waits for a check or is being checked. */
  busy: boolean;
};

/** Resolves when `signal` is aborted. */
export async function checkNodes(deps: CheckNodesDeps, signal: AbortSignal): Promise<void> {
  const { clock, intervalMs } = deps;
  const watched = new Map<string, Watched>();
  const found = new Map<string, Found>();
  let followed = Number.NaN;

  const work = async (each: Watched) => {
    const { record } = each;
    if (signal.aborted) return;
    each.dueMs = clock.monotonic() + intervalMs;
    const check = await deps.check(record);
    each.busy = false;
    if (check.kind === 'not-asked') {
      each.dueMs = clock.monotonic() + soonMs;
      return;
    }
    // The outcome is for a URL that the node no longer has.
    if (each.record.addressDigest !== record.addressDigest) return;
    each.failures = check.kind === 'healthy' ? 0 : each.failures + 1;
    const outcome = outcomeOf(each, check, clock.now());
    const { status, isOnOtherChain } = outcome;
    const raise = status !== each.record.status || isOnOtherChain !== each.record.isOnOtherChain;
    if (raise) reportOf(deps.log, record, outcome, check);
    // The next check compares with this outcome, which may not be in the store's record yet.
    each.record = { ...each.record, status, isOnOtherChain };
    found.set(record.nodeId, { outcome, raise: raise || found.get(record.nodeId)?.raise === true });
  };
  const ownerOf = ({ record }: Watched) => record.ownerId;
  const answering = new RoundRobin({ ...checksAtOnce.answering, ownerOf, work });
  const failing = new RoundRobin({ ...checksAtOnce.failing, ownerOf, work });

  while (!signal.aborted) {
    const nowMs = clock.monotonic();
    if (followed !== deps.revision()) {
      followed = deps.revision();
      follow(watched, deps.nodes(), nowMs, intervalMs);
    }
    const due = [...watched.values()].filter((each) => !each.busy && each.dueMs <= nowMs);
    for (const each of due) each.busy = true;
    const isAnswering = (each: Watched) => each.failures === 0 && each.record.status !== 'unhealthy';
    answering.add(due.filter(isAnswering));
    failing.add(due.filter((each) => !isAnswering(each)));
    await storeFound(deps, found);
    await pause(Math.min(maxTickMs, intervalMs / 4), signal);
  }
}

/** New nodes are due at once; nodes that were checked before are spread over the interval. */
function follow(watched: Map<string, Watched>, nodes: Iterable<NodeRecord>, nowMs: number, intervalMs: number): void {
  const isFirst = watched.size === 0;
  const there = new Set<string>();
  for (const record of nodes) {
    const { nodeId } = record;
    there.add(nodeId);
    const known = watched.get(nodeId);
    if (known === undefined) {
      const spreadMs = isFirst && record.status !== 'pending' ? (spreadOf(nodeId) * intervalMs) / spreads : 0;
      watched.set(nodeId, { record, dueMs: nowMs + spreadMs, failures: 0, busy: false });
    } else if (known.record.addressDigest !== record.addressDigest) {
      known.record = record;
      known.failures = 0;
      known.dueMs = nowMs;
    } else known.record = { ...record, status: known.record.status, isOnOtherChain: known.record.isOnOtherChain };
  }
  for (const nodeId of watched.keys()) if (!there.has(nodeId)) watched.delete(nodeId);
}

const spreads = 1_024;

function spreadOf(nodeId: string): number {
  let sum = 0;
  for (let at = 0; at < nodeId.length; at++) sum = (sum * 31 + nodeId.charCodeAt(at)) % spreads;
  return sum;
}

function outcomeOf({ record, failures }: Watched, check: NodeCheck, checkedAtMs: number): CheckOutcome {
  const { nodeId, addressDigest } = record;
  const common = { nodeId, addressDigest, checkedAtMs };
  if (check.kind === 'healthy') {
    const { blockHeight, latencyMs } = check;
    return { ...common, status: 'healthy', isOnOtherChain: false, blockHeight, latencyMs };
  }
  const isOnOtherChain = check.kind === 'wrong-chain' || record.isOnOtherChain;
  const isUnhealthy = isOnOtherChain || failures >= failuresToUnhealthy;
  const status = isUnhealthy ? 'unhealthy' : record.status;
  return { ...common, status, isOnOtherChain, blockHeight: undefined, latencyMs: undefined };
}

function reportOf(log: Log, { nodeId, dlt, networkId }: NodeRecord, outcome: CheckOutcome, check: NodeCheck): void {
  const reason = check.kind === 'no-answer' ? check.detail : check.kind;
  if (outcome.status === 'healthy') log.info('node.healthy', { nodeId, dlt, networkId });
  else log.warn('node.unhealthy', { nodeId, dlt, networkId, reason });
}

/** An outcome that cannot be stored now is stored later, unless a newer outcome replaces it. */
async function storeFound({ store, changed, log, clock }: CheckNodesDeps, found: Map<string, Found>): Promise<void> {
  if (found.size === 0) return;
  const all = [...found.values()];
  found.clear();
  const of = (wanted: boolean) => all.flatMap(({ outcome, raise }) => (raise === wanted ? [outcome] : []));
  try {
    const raising = of(true);
    if (raising.length > 0) {
      await store.recordChecks(raising, true);
      await changed();
    }
    await store.recordChecks(of(false), false);
    await store.forgetRemoved(clock.now() - rememberRemovedMs);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    log.warn('node.checks-not-stored', { checks: all.length, reason: messageOf(error) });
    for (const { outcome, raise } of all) {
      const newer = found.get(outcome.nodeId);
      found.set(outcome.nodeId, { outcome: newer?.outcome ?? outcome, raise: raise || newer?.raise === true });
    }
  }
}
