/** Withdrawals: the list, and one withdrawal with its progress from L2 to L1. */
import type { Withdrawal } from '@flowgate/client';
import { useRoute } from 'wouter';
import { ShortHash } from '../../components/short-hash.tsx';
import { Time } from '../../components/time.tsx';
import { exactTime } from '../../format/relative-time.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import { useNetworkNames } from '../../gateway/use-network-names.ts';
import type { Fact } from '../ledger/facts.tsx';
import { stepState, type TimelineStep } from '../ledger/timeline.tsx';
import { useWatched } from '../ledger/use-watched.ts';
import { ReplayStep } from './replay-step.tsx';
import { TransferPage } from './transfer-page.tsx';
import { Notice } from './transfer-state.tsx';
import { blockerWords, withdrawalFailureWords, withdrawalLooks } from './transfer-words.ts';
import { TransfersList } from './transfers-list.tsx';
import { WithdrawalSteps } from './withdrawal-steps.tsx';

const statuses = [
  ...(['initiated', 'awaiting_state_root', 'ready_to_prove', 'in_dispute_window'] as const),
  ...(['challenged', 'ready_to_finalise', 'finalised', 'failed'] as const),
];

export function WithdrawalsPage() {
  const client = useGateway();
  const [, params] = useRoute('/withdrawals/:id');
  if (params !== null) return <WithdrawalPage id={params.id} />;
  return (
    <TransfersList<Withdrawal>
      direction="withdrawal"
      lead="Transfers from L2 to L1 by your linked wallets. Each needs two more signatures on L1: one to prove it, one to finalize it."
      looks={withdrawalLooks}
      statuses={statuses}
      page={(options, filter) => client.withdrawals.page({ ...options, filter })}
    />
  );
}

function WithdrawalPage({ id }: { readonly id: string }) {
  const client = useGateway();
  const { nameOf } = useNetworkNames();
  const watched = useWatched(id, client.withdrawals.watch);
  return (
    <TransferPage
      direction="withdrawal"
      watched={watched}
      look={({ status }) => withdrawalLooks[status]}
      steps={(withdrawal) => withdrawalSteps(withdrawal, nameOf)}
      facts={withdrawalFacts}
      notices={(withdrawal) => <WithdrawalNotices withdrawal={withdrawal} />}
      actions={(withdrawal) => (
        <>
          <WithdrawalSteps withdrawal={withdrawal} onSent={watched.again} />
          <ReplayStep
            transfer={withdrawal}
            prepare={(input) => client.withdrawals.replay(id, input)}
            refresh={watched.again}
          />
        </>
      )}
    />
  );
}

function WithdrawalNotices({ withdrawal }: { readonly withdrawal: Withdrawal }) {
  const { status, blockers, failureReason = 'l1_reverted' } = withdrawal;
  if (status === 'failed') return <Notice tone="bad">{withdrawalFailureWords[failureReason]}</Notice>;
  if (!blockers.includes('paused')) return null;
  return <Notice tone="warn">{blockerWords.paused}</Notice>;
}

const withdrawalFacts = (withdrawal: Withdrawal): readonly Fact[] => {
  const { l2TransactionHash, proveTransactionHash: proof, finalizeTransactionHash: end } = withdrawal;
  const { proofSubmitter, messageHash } = withdrawal;
  return [
    ['On L2', <ShortHash key="l2" value={l2TransactionHash} what="L2 transaction hash" />],
    ['Proof on L1', proof && <ShortHash key="proof" value={proof} what="proof transaction hash" />],
    ['Proven by', proofSubmitter && <ShortHash key="prover" value={proofSubmitter} what="prover address" />],
    ['Finalization on L1', end && <ShortHash key="end" value={end} what="finalization transaction hash" />],
    ['Message', messageHash && <ShortHash key="message" value={messageHash} what="message hash" />],
    ['Hash', <ShortHash key="hash" value={withdrawal.withdrawalHash} what="withdrawal hash" />],
  ];
};

const reached: Readonly<Record<Withdrawal['status'], number>> = {
  ...{ initiated: 1, awaiting_state_root: 1, ready_to_prove: 2, in_dispute_window: 3 },
  ...{ challenged: 3, ready_to_finalise: 4, finalised: 5, failed: 4 },
};

function withdrawalSteps(
  withdrawal: Withdrawal,
  nameOf: (place: Withdrawal['source']) => string,
): readonly TimelineStep[] {
  const { status, source, destination, createdAt, statusChangedAt, disputeWindowEndsAt: ends } = withdrawal;
  const isLost = status === 'failed' && withdrawal.finalizeTransactionHash === undefined;
  const now = isLost ? 0 : reached[status];
  const state = (at: number) => stepState(at, now, status === 'failed');
  const blockers = withdrawal.blockers.filter((blocker) => blocker !== 'paused');
  const waits = (at: number) =>
    at === now && blockers.length > 0
      ? blockers
          .filter((blocker) => at !== 1 || blocker !== 'not_proven')
          .map((blocker) => <p key={blocker}>{blockerWords[blocker]}</p>)
      : undefined;
  return [
    { title: `Sent on ${nameOf(source)}`, state: state(0), note: <Time at={createdAt} /> },
    { title: 'State root posted', state: state(1), note: waits(1) },
    { title: `Proven on ${nameOf(destination)}`, state: state(2), note: waits(2) },
    {
      title: 'Dispute window ended',
      state: status === 'challenged' ? 'failed' : state(3),
      note: now === 3 && (
        <>
          {waits(3)}
          {ends !== undefined && (
            <p>
              It ends on {exactTime(new Date(ends))} at the earliest, according to {nameOf(destination)}.
            </p>
          )}
        </>
      ),
    },
    {
      title: `Finalized on ${nameOf(destination)}`,
      state: state(4),
      note: status === 'finalised' ? <Time at={statusChangedAt} /> : waits(4),
    },
  ];
}
