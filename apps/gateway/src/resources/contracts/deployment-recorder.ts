/** Records deployments before they are sent, and removes refused ones. It never fails a call: errors are logged (contract/contracts#deployed). */

import { runInSlices, type TimeSlices } from '@flowgate/async/time-slices';
import type { Clock } from '@flowgate/base/clock';
import type { NewTypeId } from '@flowgate/base/ids';
import { errorPlace } from '@flowgate/base/text';
import { Unavailable } from '@flowgate/base/unavailable';
import { contractAddress } from '@flowgate/chain/transactions/contract-address';
import type { RawTransaction } from '@flowgate/chain/transactions/raw-transaction';
import type { Log } from '@flowgate/telemetry/log';
import type { DeploymentRecord } from './deployment.ts';
import type { DeploymentStore } from './deployment-store.ts';

export type RecorderDeps = {
  readonly store: Pick<DeploymentStore, 'begin' | 'takeBack'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: NewTypeId;
  /** Hashing a large transaction and recovering its signer take milliseconds, so they run in time slices. */
  readonly timeSlices: TimeSlices;
  readonly log: Pick<Log, 'warn' | 'error'>;
};

/** A transaction that creates a contract, and the position of the call in its batch. */
export type Creation = { readonly transaction: RawTransaction; readonly place: number };

/** A stored record, and the calls that send its transaction. */
export type Recording = { readonly deploymentId: string; readonly places: readonly number[] };

type Ledger = { readonly dlt: string; readonly networkId: string };

/** Neither method rejects. */
export type DeploymentRecorder = {
  /** Durable when it resolves. The result lacks deployments that could not be recorded. */
  readonly begin: (ledger: Ledger, userId: string, creations: readonly Creation[]) => Promise<readonly Recording[]>;
  /** For transactions that a node has refused. */
  readonly takeBack: (ledger: Ledger, recordings: readonly Recording[]) => Promise<void>;
};

/** The maximum of records of a user: a node of the user's own may accept any transaction, and must not fill the database. */
export const deploymentsPerUser = 10_000;
/** The delay of a deployment's check for each other deployment of its user, so that no user causes more than 50 checks a second. */
export const paceMs = 20;
/** The delay of the first check of the chain. */
const firstLookMs = 1_000;

export function createDeploymentRecorder(deps: RecorderDeps): DeploymentRecorder {
  const { store, log, timeSlices } = deps;
  /** An unavailable database or a bug here must not fail the call. */
  const withoutFailing = async <T>(ledger: Ledger, event: string, work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Unavailable) log.warn(event, { ...names(ledger), reason: error.message });
      else log.error('deployment.recording-failed', { ...names(ledger), ...errorPlace(error) });
      return undefined;
    }
  };
  return {
    async begin(ledger, userId, creations) {
      const recordings = await withoutFailing(ledger, 'deployment.unrecorded', async () => {
        const { recoverAddress } = await import('@flowgate/chain/recover-address');
        const signerOf = (transaction: RawTransaction) => transaction.sender(recoverAddress);
        const made = await runInSlices(timeSlices, recordsOf(deps, ledger, userId, creations, signerOf));
        if (made.size === 0) return [];
        const begun = await store.begin(
          [...made.values()].map(({ record }) => record),
          deploymentsPerUser,
          paceMs,
        );
        if (begun.size < made.size)
          log.warn('deployment.unrecorded', {
            ...names(ledger),
            reason: 'the user has the maximum number of followed deployments',
          });
        return [...begun].map(([hash, deploymentId]) => ({ deploymentId, places: made.get(hash)?.places ?? [] }));
      });
      return recordings ?? [];
    },
    async takeBack(ledger, recordings) {
      const ids = recordings.map(({ deploymentId }) => deploymentId);
      await withoutFailing(ledger, 'deployment.not-taken-back', () => store.takeBack(ids));
    },
  };
}

function names({ dlt, networkId }: Ledger): Ledger {
  return { dlt, networkId };
}

/** The records by hash, one for each distinct transaction. Yields after each hash and signer. */
function* recordsOf(
  { clock, newId }: RecorderDeps,
  { dlt, networkId }: Ledger,
  userId: string,
  creations: readonly Creation[],
  signerOf: (transaction: RawTransaction) => string | undefined,
): Generator<undefined, ReadonlyMap<string, { readonly record: DeploymentRecord; readonly places: number[] }>> {
  const made = new Map<string, { readonly record: DeploymentRecord; readonly places: number[] }>();
  for (const { transaction, place } of creations) {
    const transactionHash = transaction.hash();
    const known = made.get(transactionHash);
    if (known !== undefined) {
      known.places.push(place);
      continue;
    }
    const deployer = signerOf(transaction);
    yield;
    // An unsigned transaction, which every node refuses.
    if (deployer === undefined) continue;
    const nowMs = clock.now();
    const record: DeploymentRecord = {
      deploymentId: newId('dep'),
      userId,
      dlt,
      networkId,
      transactionHash,
      deployer,
      nonce: String(transaction.nonce),
      address: contractAddress(deployer, transaction.nonce),
      status: 'pending',
      unseenSinceMs: nowMs,
      dueAtMs: nowMs + firstLookMs,
      claims: 1,
      createdAtMs: nowMs,
    };
    made.set(transactionHash, { record, places: [place] });
  }
  return made;
}
