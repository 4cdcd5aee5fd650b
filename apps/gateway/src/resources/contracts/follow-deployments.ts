/** Follows deployments on their chains until some blocks after they are settled: the job of one leader among all gateways (contract/contracts#deployed). */

import { pause, unlessAborted } from '@flowgate/async/bounded-waits';
import type { TimeSlices } from '@flowgate/async/time-slices';
import type { Clock } from '@flowgate/base/clock';
import type { Lease } from '@flowgate/sql/coordination/lease-store';
import type { Log } from '@flowgate/telemetry/log';
import { askChain } from '../../upstream/networks/ask-chain.ts';
import type { NodePort } from '../../upstream/port/node-port.ts';
import { classifyDeployment } from './classify-deployment.ts';
import { classifyPendingDeployments } from './classify-pending-deployments.ts';
import type { DeploymentRecord, DeploymentState } from './deployment.ts';
import { paceMs } from './deployment-recorder.ts';
import type { DeploymentFinding, DeploymentStore } from './deployment-store.ts';

/** An EVM network whose deployments are followed. */
export type FollowedNetwork = {
  readonly dlt: string;
  readonly networkId: string;
  readonly pool: NodePort;
  readonly confirmations: number;
};

export type FollowDeps = {
  readonly store: Pick<DeploymentStore, 'due' | 'followed' | 'settle'>;
  readonly networks: readonly FollowedNetwork[];
  readonly clock: Pick<Clock, 'now'>;
  readonly timeSlices: TimeSlices;
  readonly log: Pick<Log, 'info'>;
};

/** Between two queries for due deployments. An idle query reads one row for each network. */
const roundPauseMs = 1_000;
/** Deployments of a network in one round. */
const perRound = 100;
/** Deployments in one request to a node, because a receipt may be long. */
const perRequest = 20;

/**
 * The job of `runWhileLeader`: rounds until the signal is aborted. A network with slow nodes delays no other. Throws `Unavailable` when the storage does not
 * answer; the leader then starts the job again.
 */
export async function followDeployments(deps: FollowDeps, lease: Lease, signal: AbortSignal): Promise<void> {
  const failing = new AbortController();
  const stopped = AbortSignal.any([signal, failing.signal]);
  const follow = async (network: FollowedNetwork) => {
    while (!stopped.aborted) {
      await followRound(deps, network, lease, stopped);
      await pause(roundPauseMs, stopped);
    }
  };
  const following = deps.networks.map((network) =>
    follow(network).catch((error: unknown) => {
      failing.abort();
      throw error;
    }),
  );
  const [failure] = (await Promise.allSettled(following)).filter((each) => each.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
}

/** Checks the due deployments of a network. Returns their number. */
export async function followRound(
  deps: FollowDeps,
  network: FollowedNetwork,
  lease: Lease,
  signal: AbortSignal,
): Promise<number> {
  const { store, clock } = deps;
  const due = await store.due(network.dlt, network.networkId, clock.now(), perRound);
  if (due.length === 0) return 0;
  const followed = await store.followed([...new Set(due.map(({ userId }) => userId))]);
  for (let at = 0; at < due.length && !signal.aborted; at += perRequest)
    await look(deps, network, lease, due.slice(at, at + perRequest), followed, signal);
  return due.length;
}

/** When a request fails although the node answers, its halves are requested separately: one receipt that is too long must not prevent the check of others. */
async function look(
  deps: FollowDeps,
  network: FollowedNetwork,
  lease: Lease,
  deployments: readonly DeploymentRecord[],
  followed: ReadonlyMap<string, number>,
  signal: AbortSignal,
): Promise<void> {
  const { store, clock, timeSlices, log } = deps;
  const { dlt, networkId, pool, confirmations } = network;
  const sighting = classifyPendingDeployments({ pool, slices: timeSlices, confirmations }, deployments);
  // A hanging node does not delay the end of the process or the next leader.
  const sighted = await unlessAborted(sighting, signal);
  if (sighted === undefined) return;
  const { head, sightings } = sighted;
  const canAnswer = head === undefined && deployments.length > 1 && unlessAborted(answers(pool, timeSlices), signal);
  if (await canAnswer) {
    const middle = Math.ceil(deployments.length / 2);
    for (const half of [deployments.slice(0, middle), deployments.slice(middle)])
      await look(deps, network, lease, half, followed, signal);
    return;
  }
  const chain = head === undefined ? undefined : { head, confirmations };
  const findings = deployments.map((deployment, at): DeploymentFinding => {
    const state = classifyDeployment(deployment, sightings[at] ?? { kind: 'unclear' }, chain, clock.now());
    return { deployment, state: paced(state, followed.get(deployment.userId) ?? 0) };
  });
  const changed = findings.filter(isChanged);
  const unchanged = findings.filter((finding) => !isChanged(finding));
  if (changed.length > 0) await store.settle(changed, lease, false);
  if (unchanged.length > 0) await store.settle(unchanged, lease, true);
  for (const { deployment, state } of changed)
    if (state.status !== deployment.status)
      log.info('deployment.settled', {
        ...{ dlt, networkId, transactionHash: deployment.transactionHash, status: state.status },
        ...(state.failureReason === undefined ? {} : { reason: state.failureReason }),
      });
}

async function answers(pool: NodePort, slices: TimeSlices): Promise<boolean> {
  const [head] = (await askChain(pool, slices, [{ method: 'eth_blockNumber', params: [] }])) ?? [];
  return typeof head === 'string';
}

/** The more deployments of a user are followed, the longer each waits, so that other users' do not. */
function paced(state: DeploymentState, followed: number): DeploymentState {
  return state.dueAtMs === undefined ? state : { ...state, dueAtMs: state.dueAtMs + followed * paceMs };
}

/** Whether more than the time of the next check has changed. */
function isChanged({ deployment, state }: DeploymentFinding): boolean {
  const members = [
    'status',
    'failureReason',
    'blockNumber',
    'blockHash',
    'unseenSinceMs',
    'settledAtMs',
    'settledBlock',
  ] as const;
  return state.dueAtMs === undefined || members.some((name) => deployment[name] !== state[name]);
}
