/** Deposits: the list, and one deposit with its progress from L1 to L2. */
import type { Deposit } from '@flowgate/client';
import { useRoute } from 'wouter';
import { ShortHash } from '../../components/short-hash.tsx';
import { Time } from '../../components/time.tsx';
import { useGateway } from '../../gateway/gateway-context.tsx';
import { useNetworkNames } from '../../gateway/use-network-names.ts';
import type { Fact } from '../ledger/facts.tsx';
import { stepState, type TimelineStep } from '../ledger/timeline.tsx';
import { useWatched } from '../ledger/use-watched.ts';
import { ReplayStep } from './replay-step.tsx';
import { TransferPage } from './transfer-page.tsx';
import { Notice } from './transfer-state.tsx';
import { depositFailureWords, depositLooks } from './transfer-words.ts';
import { TransfersList } from './transfers-list.tsx';

const statuses = ['pending', 'confirmed', 'relaying', 'completed', 'failed'] as const;

export function DepositsPage() {
  const client = useGateway();
  const [, params] = useRoute('/deposits/:id');
  if (params !== null) return <DepositPage id={params.id} />;
  return (
    <TransfersList<Deposit>
      direction="deposit"
      lead="Transfers from L1 to L2 by your linked wallets. A deposit that is in an L1 block arrives on L2 automatically."
      looks={depositLooks}
      statuses={statuses}
      page={(options, filter) => client.deposits.page({ ...options, filter })}
    />
  );
}

function DepositPage({ id }: { readonly id: string }) {
  const client = useGateway();
  const { nameOf } = useNetworkNames();
  const watched = useWatched(id, client.deposits.watch);
  return (
    <TransferPage
      direction="deposit"
      watched={watched}
      look={({ status }) => depositLooks[status]}
      steps={(deposit) => depositSteps(deposit, nameOf)}
      facts={depositFacts}
      notices={(deposit) => <DepositNotices deposit={deposit} />}
      actions={(deposit) => (
        <ReplayStep transfer={deposit} prepare={(input) => client.deposits.replay(id, input)} refresh={watched.again} />
      )}
    />
  );
}

function DepositNotices({ deposit }: { readonly deposit: Deposit }) {
  const { failureReason, stalled, stalledReason, statusChangedAt } = deposit;
  return (
    <>
      {failureReason !== undefined && <Notice tone="bad">{depositFailureWords[failureReason]}</Notice>}
      {stalled && (
        <Notice tone="warn">
          No change since <Time at={statusChangedAt} />.{' '}
          {stalledReason === undefined ? 'The gateway is checking the chain for the reason.' : stalledReason}
        </Notice>
      )}
    </>
  );
}

const depositFacts = (deposit: Deposit): readonly Fact[] => {
  const { l1TransactionHash, l1BlockNumber, l2TransactionHash, messageHash } = deposit;
  return [
    ['On L1', <ShortHash key="l1" value={l1TransactionHash} what="L1 transaction hash" />],
    ['Block on L1', l1BlockNumber.toLocaleString('en')],
    ['On L2', <ShortHash key="l2" value={l2TransactionHash} what="L2 transaction hash" />],
    ['Message', messageHash && <ShortHash key="message" value={messageHash} what="message hash" />],
  ];
};

const reached: Readonly<Record<Deposit['status'], number>> = {
  ...{ pending: 1, confirmed: 2, relaying: 3, completed: 4, failed: 3 },
};

function depositSteps(deposit: Deposit, nameOf: (place: Deposit['source']) => string): readonly TimelineStep[] {
  const { status, failureReason, confirmations, requiredConfirmations: required, source, destination } = deposit;
  const now = failureReason === 'reorganised' ? 0 : reached[status];
  const state = (at: number) => stepState(at, now, status === 'failed');
  const [l1, l2] = [nameOf(source), nameOf(destination)];
  return [
    { title: `Sent on ${l1}`, state: state(0), note: <Time at={deposit.createdAt} /> },
    {
      title: 'Confirmed',
      state: state(1),
      note: now === 1 ? `${Math.min(confirmations, required)} of ${required} blocks` : undefined,
    },
    {
      title: `Expected on ${l2}`,
      state: state(2),
      note: now === 2 ? `${l2} includes it after processing its ${l1} block.` : undefined,
    },
    {
      title: `Arrived on ${l2}`,
      state: state(3),
      note: noteOfArrival(deposit, l2),
    },
  ];
}

function noteOfArrival({ status, statusChangedAt }: Deposit, l2: string) {
  if (status === 'relaying') return `Waiting for ${l2} to execute it.`;
  return status === 'completed' ? <Time at={statusChangedAt} /> : undefined;
}
