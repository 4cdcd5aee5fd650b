/** Details of one deposit or withdrawal, updated while the page is open. */
import type { FlowgateError } from '@flowgate/client';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Tone } from '../../components/badge.tsx';
import { ButtonLink } from '../../components/button.tsx';
import { Card, PageHead } from '../../components/card.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { ArrowLeft, SearchX } from '../../components/icons.tsx';
import { ShortHash } from '../../components/short-hash.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { Time } from '../../components/time.tsx';
import { useBridges } from '../../gateway/use-bridges.ts';
import { useNetworkNames } from '../../gateway/use-network-names.ts';
import { type Fact, Facts } from '../ledger/facts.tsx';
import { Party } from '../ledger/party.tsx';
import { Timeline, type TimelineStep } from '../ledger/timeline.tsx';
import type { Watched } from '../ledger/use-watched.ts';
import { StaleNotice, TransferState } from './transfer-state.tsx';
import { type Transfer, TransferAmount, transferId } from './transfers-list.tsx';

export type TransferPageProps<T extends Transfer> = {
  readonly direction: 'deposit' | 'withdrawal';
  readonly watched: Watched<T>;
  readonly look: (record: T) => readonly [tone: Tone, word: string];
  readonly steps: (record: T) => readonly TimelineStep[];
  readonly facts: (record: T) => readonly Fact[];
  readonly notices: (record: T) => ReactNode;
  /** The next actions for the wallet. */
  readonly actions?: (record: T) => ReactNode;
};

export function TransferPage<T extends Transfer>(props: TransferPageProps<T>) {
  const { direction, watched } = props;
  const { record, error, again } = watched;
  const plural = direction === 'deposit' ? 'Deposits' : 'Withdrawals';
  return (
    <div>
      <Link
        href={`/${direction}s`}
        className="mb-3 inline-flex items-center gap-1.5 rounded text-sm text-soft hover:text-ink"
      >
        <ArrowLeft aria-hidden="true" className="size-4" />
        {plural}
      </Link>
      {record === undefined && <PageHead title={direction === 'deposit' ? 'Deposit' : 'Withdrawal'} />}
      {record === undefined && error === undefined && (
        <Card flush>
          <SkeletonRows />
        </Card>
      )}
      {record === undefined && isMissing(error) && (
        <Card flush>
          <EmptyState
            icon={SearchX}
            title={`This ${direction} was not found`}
            action={<ButtonLink href="/wallets">Wallets</ButtonLink>}
          >
            It may belong to another user, or to a wallet that you have not linked.
          </EmptyState>
        </Card>
      )}
      {error !== undefined && !(record === undefined && isMissing(error)) && (
        <div className="mb-4">
          <ErrorNotice error={error} onRetry={again} />
        </div>
      )}
      {record !== undefined && <Found {...props} record={record} />}
    </div>
  );
}

const isMissing = (error: unknown): error is FlowgateError =>
  error instanceof Error && 'status' in error && error.status === 404;

function Found<T extends Transfer>(props: TransferPageProps<T> & { readonly record: T }) {
  const { record, direction, look, steps, facts, notices, actions } = props;
  const { nameOf } = useNetworkNames();
  const bridge = useBridges().nameOf(record.bridgeId);
  const { kind, token, from, to, source, destination, createdAt, updatedAt } = record;
  const isBare = kind === 'message' && record.amount === '0';
  return (
    <>
      <header className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h1 className="text-2xl font-semibold tracking-tight">
            {isBare ? 'Message' : <TransferAmount transfer={record} direction={direction} />}
          </h1>
          <p className="mt-1 text-soft">
            {direction === 'deposit' ? 'Deposit' : 'Withdrawal'} from {nameOf(source)} to {nameOf(destination)}
          </p>
        </div>
        <TransferState look={look(record)} isStalled={'stalled' in record && record.stalled} />
      </header>
      <StaleNotice since={record.staleSince} />
      {notices(record)}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
        <Card title="Progress">
          <Timeline label="State history" steps={steps(record)} />
          {actions?.(record)}
        </Card>
        <Card title="Details">
          <Facts
            facts={[
              ['From', <Party key="from" address={from} what="sender address" />],
              ['To', <Party key="to" address={to} what="recipient address" />],
              ['Token', <TokenFact key="token" token={token} />],
              ...facts(record),
              ['Bridge', bridge],
              ['Sent', <Time key="sent" at={createdAt} />],
              ['Last update', <Time key="updated" at={updatedAt} />],
              ['ID', <ShortHash key="id" value={transferId(record)} what="ID" />],
            ]}
          />
        </Card>
      </div>
    </>
  );
}

function TokenFact({ token: { native, symbol, l1, l2 } }: { readonly token: Transfer['token'] }) {
  if (native) return 'Ether';
  return (
    <span className="flex min-w-0 flex-col">
      <bdi className="truncate">{symbol ?? 'Unnamed token'}</bdi>
      {l1 !== undefined && (
        <span className="flex items-center gap-1 text-sm text-soft">
          L1 <ShortHash value={l1} what="L1 token address" />
        </span>
      )}
      {l2 !== undefined && (
        <span className="flex items-center gap-1 text-sm text-soft">
          L2 <ShortHash value={l2} what="L2 token address" />
        </span>
      )}
    </span>
  );
}
