/** Derives the state of a deployment from an observation of the chain. A pure function: the rules of contract/contracts#deployed. */

import type { DeploymentRecord, DeploymentState } from './deployment.ts';

/** What the nodes reported about one deployment. */
export type Sighting =
  | {
      readonly kind: 'mined';
      readonly blockNumber: number;
      readonly blockHash: string;
      /** Whether its execution succeeded. */
      readonly succeeded: boolean;
    }
  | {
      /** No node has a receipt. */
      readonly kind: 'missing';
      /** Whether a node knows the transaction. */
      readonly isKnown: boolean;
      /** Whether its nonce was used, at the depth of `confirmations`. */
      readonly isNonceUsed: boolean;
      /** Whether the chain now has another block in which the transaction was seen. */
      readonly isBlockGone: boolean;
    }
  /** No answer, or none that makes sense. */
  | { readonly kind: 'unclear' };

export type Chain = {
  /** The number of the newest block. */
  readonly head: number;
  /** Blocks after which a transaction is final; the block that contains it is the first. */
  readonly confirmations: number;
};

/** Blocks for which a deployment is followed after it is settled. */
export const followedBlocks = 64;
/** The maximum time of following after settlement, because a chain may halt. */
const followedMs = 7 * 86_400_000;
const droppedAfterMs = 86_400_000;

/** The new state, with the time of the next check. `chain` is undefined when no node answered. */
export function classifyDeployment(
  deployment: DeploymentRecord,
  sighting: Sighting,
  chain: Chain | undefined,
  nowMs: number,
): DeploymentState {
  const state = chain === undefined ? stateOf(deployment) : found(deployment, sighting, chain, nowMs);
  return isFollowed(state, chain, nowMs)
    ? { ...state, dueAtMs: nowMs + pauseMs(deployment, state, sighting, nowMs) }
    : state;
}

/** The state without the time of the next check. */
function stateOf({ status, failureReason, blockNumber, blockHash, ...rest }: DeploymentRecord): DeploymentState {
  return {
    status,
    ...(failureReason === undefined ? {} : { failureReason }),
    ...(blockNumber === undefined ? {} : { blockNumber }),
    ...(blockHash === undefined ? {} : { blockHash }),
    ...(rest.unseenSinceMs === undefined ? {} : { unseenSinceMs: rest.unseenSinceMs }),
    ...(rest.settledAtMs === undefined ? {} : { settledAtMs: rest.settledAtMs }),
    ...(rest.settledBlock === undefined ? {} : { settledBlock: rest.settledBlock }),
  };
}

function found(deployment: DeploymentRecord, sighting: Sighting, chain: Chain, nowMs: number): DeploymentState {
  if (sighting.kind === 'unclear') return stateOf(deployment);
  if (sighting.kind === 'mined') return mined(deployment, sighting, chain, nowMs);
  const { isKnown, isNonceUsed, isBlockGone } = sighting;
  const unseenSinceMs = deployment.unseenSinceMs ?? nowMs;
  const pending: DeploymentState = { status: 'pending', ...(isKnown ? {} : { unseenSinceMs }) };
  // A node without the receipt, while the block still exists, lags or is faulty.
  if (deployment.blockHash !== undefined) return isBlockGone ? pending : stateOf(deployment);
  if (isKnown) return pending;
  if (isNonceUsed) return failed(deployment, 'replaced', chain, nowMs);
  // A reorganization removed the replacing transaction.
  if (deployment.failureReason === 'replaced') return { status: 'pending', unseenSinceMs: nowMs };
  return nowMs - unseenSinceMs >= droppedAfterMs ? failed(deployment, 'dropped', chain, nowMs) : pending;
}

function mined(
  deployment: DeploymentRecord,
  { blockNumber, blockHash, succeeded }: Sighting & { readonly kind: 'mined' },
  { head, confirmations }: Chain,
  nowMs: number,
): DeploymentState {
  const isSettledThere = deployment.settledAtMs !== undefined && deployment.blockHash === blockHash;
  // A lagging node does not revoke what another node has reported.
  if (isSettledThere) return stateOf(deployment);
  const settledBlock = blockNumber + confirmations - 1;
  const place = { blockNumber, blockHash };
  if (head < settledBlock) return { status: 'pending', ...place };
  const settled = { ...place, settledAtMs: nowMs, settledBlock };
  return succeeded ? { status: 'deployed', ...settled } : { status: 'failed', failureReason: 'reverted', ...settled };
}

function failed(
  deployment: DeploymentRecord,
  failureReason: 'replaced' | 'dropped',
  { head }: Chain,
  nowMs: number,
): DeploymentState {
  return deployment.failureReason === failureReason
    ? stateOf(deployment)
    : {
        status: 'failed',
        failureReason,
        unseenSinceMs: deployment.unseenSinceMs ?? nowMs,
        settledAtMs: nowMs,
        settledBlock: head,
      };
}

function isFollowed({ settledAtMs, settledBlock }: DeploymentState, chain: Chain | undefined, nowMs: number): boolean {
  if (settledAtMs === undefined || settledBlock === undefined) return true;
  if (nowMs - settledAtMs >= followedMs) return false;
  return chain === undefined || chain.head < settledBlock + followedBlocks;
}

/** The pause before the next check grows with the deployment's age. It is short when only a block is missing, and long when no node answers. */
function pauseMs(deployment: DeploymentRecord, state: DeploymentState, sighting: Sighting, nowMs: number): number {
  const part = (nowMs - deployment.createdAtMs) / 8;
  if (sighting.kind === 'unclear') return between(5_000, part, 300_000);
  if (state.settledAtMs !== undefined) return between(15_000, part, 600_000);
  return state.blockHash !== undefined ? between(1_000, part, 15_000) : between(1_000, part, 300_000);
}

function between(min: number, value: number, max: number): number {
  return Math.min(max, Math.max(min, Math.floor(value)));
}
