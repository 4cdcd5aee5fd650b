/** Writes deployments down before they are sent, and takes them back. Never in the way of a call: what fails is logged (contract/contracts#deployed). */

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
  /** Hashing a large transaction and finding its signer take milliseconds. */
  readonly timeSlices: TimeSlices;
  readonly log: Pick<Log, 'warn' | 'error'>;
};

/** A transaction that creates a contract, and the place of the call in its batch. */
export type Creation = { readonly transaction: RawTransaction; readonly place: number };

/** A record that was begun, and the calls that carry its transaction. */
export type Recording = { readonly deploymentId: string; readonly places: readonly number[] };

type Ledger = { readonly dlt: string; readonly networkId: string };

/** Neither method rejects. */
export type DeploymentRecorder = {
  /** Durable when it resolves. What could not be recorded is missing. */
  readonly begin: (ledger: Ledger, userId: string, creations: readonly Creation[]) => Promise<readonly Recording[]>;
  /** For what a node has refused. */
  readonly takeBack: (ledger: Ledger, recordings: readonly Recording[]) => Promise<void>;
};

/** Records that a user keeps: a node of the user's own may accept whatever it is sent, and must not fill the database. */
export const deploymentsPerUser = 10_000;
/** How much later a deployment is looked at for each other one of its user, so that no one causes more than 50 looks a second. */
export const paceMs = 20;
/** Until the first look at the chain. */
const firstLookMs = 1_000;

export function createDeploymentRecorder(deps: RecorderDeps): DeploymentRecorder {
  const { store, log, timeSlices } = deps;
  /** A broken database is not the call's business, and a bug here neither. */
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
          log.warn('deployment.unrecorded', { ...names(ledger), reason: 'the user has too many that are followed' });
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

/** The records by hash, one for each transaction, however often it occurs. Pauses after each hash and signer. */
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
    // Nobody has signed it: no node accepts it.
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
