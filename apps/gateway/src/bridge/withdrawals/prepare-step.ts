/** Prepares the transaction on L1 that proves or finalizes a withdrawal, checked against both chains (contract/withdrawals#prove-and-finalize). The gateway signs and sends nothing. */

import type { TimeSlices } from '@flowgate/async/time-slices';
import { type Result, refused } from '@flowgate/base/result';
import { type BodyRefusal, refusedForOne } from '@flowgate/body-schema/body-problems';
import type { BodyOf } from '@flowgate/body-schema/body-schema';
import { checkedBody } from '@flowgate/body-schema/checked-body';
import type { Caller } from '../../api/caller.ts';
import type { Firewall } from '../../api/firewall.ts';
import { permittedOn } from '../../prepared/permitted-on.ts';
import { networkAway, preparePlan } from '../../prepared/prepare-plan.ts';
import type { preparedTransactions } from '../../prepared/prepared-transactions.ts';
import { viewChain } from '../../prepared/view-chain.ts';
import { notLinked, senderOn } from '../bridges/bridge-wallet.ts';
import { ChainAway, createChainReader } from '../chain/chain-reader.ts';
import { noSuchWithdrawal, visibleWithdrawal, type WithdrawalDeps } from './list-withdrawals.ts';
import { planFinalization, planProof, type StepPlan } from './plan-step.ts';
import { provenAlready, type WithdrawalStep, whyNotYet } from './why-not-yet.ts';
import type { WithdrawalStore } from './withdrawal-store.ts';
import { withdrawalStepInput } from './withdrawal-wire.ts';

export type StepDeps = Omit<WithdrawalDeps, 'store'> & {
  readonly store: Pick<WithdrawalStore, 'find' | 'portals' | 'tuple' | 'newestGames' | 'gamesAbout'>;
  readonly firewall: Firewall;
  readonly timeSlices: TimeSlices;
};

type Prepared =
  | Result<BodyOf<typeof preparedTransactions>, 'bad-gateway' | 'conflict' | 'denied' | 'not-found' | 'unavailable'>
  | BodyRefusal;

/** `checkWithdrawal(bytes32,address)`: a caller that a policy denies this call does not learn what it would take. */
const checkSelector = '0x71c1566e';
/** The cost of a proof or a finalization may grow until it is mined: other transactions change the same storage. */
const gas = { roomInTenths: 5n, unknownGas: 1_000_000n };

/** Throws `Unavailable` when the storage cannot be read. */
export async function prepareStep(
  deps: StepDeps,
  caller: Caller,
  step: WithdrawalStep,
  withdrawalId: string,
  body: unknown,
): Promise<Prepared> {
  const input = checkedBody(withdrawalStepInput.schema(), body ?? {});
  if (!input.ok) return input;
  const found = await visibleWithdrawal(deps, caller.userId, withdrawalId);
  if (found === undefined) return noSuchWithdrawal;
  const { record, bridge } = found;
  const provers = step === 'prove' ? [record.proofSubmitter] : [];
  const preferred = [...provers, record.to, record.from];
  const wallet = senderOn(bridge.l1, found.wallets, input.value.wallet?.toLowerCase(), preferred);
  if (wallet === undefined) return refused('not-found', notLinked);
  if (typeof wallet === 'string') return refusedForOne(wallet);
  const [portal] = await deps.store.portals([bridge.bridgeId]);
  const obstacle = whyNotYet(record, step, portal?.isPaused ?? false);
  if (obstacle !== undefined || portal === undefined) return refused('conflict', obstacle);

  const { network, chainId } = bridge.l1;
  const permitted = await permittedOn(deps.firewall, caller, [network]);
  if (typeof permitted !== 'function') return permitted;
  const { mayBeCalled, mayBeSent, leftOut } = permitted(network);
  if (!mayBeCalled(bridge.contracts.portal, checkSelector)) return refused('denied');
  const tuple = await deps.store.tuple(record.withdrawalId);
  if (tuple === undefined) return noSuchWithdrawal;
  const chains = {
    l1: createChainReader(network, deps.timeSlices),
    l2: createChainReader(bridge.l2.network, deps.timeSlices),
  };
  const place = { bridge, record, tuple, portal, chains, sender: wallet.address };
  const planned = step === 'prove' ? planProof(deps, place) : planFinalization(place);
  const plan: StepPlan = await planned.catch(awayOf);
  if (plan.kind === 'proven') return refused('conflict', provenAlready(record, portal.isPaused));
  if (plan.kind === 'conflict') return refused('conflict', plan.detail);
  if (plan.kind !== 'planned') return refused('bad-gateway', plan.detail);
  const view = await viewChain(network, caller.userId, leftOut);
  if (view === undefined) return networkAway(network);
  return preparePlan(
    { view, network, chainId, from: wallet.address, mayBeSent, gas },
    { transactions: [plan.transaction] },
  );
}

function awayOf(error: unknown): StepPlan {
  if (!(error instanceof ChainAway)) throw error;
  return { kind: 'away', detail: `The chains could not be read: ${error.message}.` };
}
