/** List of deposits or withdrawals: filters, rows and empty states. */
import type { Deposit, DepositFilter, Page, Withdrawal } from '@flowgate/client';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Tone } from '../../components/badge.tsx';
import { Button, ButtonLink } from '../../components/button.tsx';
import { Card, PageHead } from '../../components/card.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ArrowDownUp, Plus } from '../../components/icons.tsx';
import { PagedList } from '../../components/paged-list.tsx';
import { Time } from '../../components/time.tsx';
import { useBridges } from '../../gateway/use-bridges.ts';
import { type PagedQuery, usePages } from '../../gateway/use-pages.ts';
import { WalletButton } from '../../wallet/wallet-button.tsx';
import { dayRange } from '../ledger/day-range.ts';
import {
  FilterBar,
  type FilterChoice,
  NothingMatches,
  transactionHashOf,
  useWalletChoice,
} from '../ledger/filter-bar.tsx';
import { useLinkedWallets } from '../ledger/linked-wallets.ts';
import { Party } from '../ledger/party.tsx';
import { TokenAmount } from '../ledger/token-amount.tsx';
import { useAddressFilter } from '../ledger/use-address-filter.ts';
import { TransferDialog } from './transfer-dialog.tsx';
import { TransferState } from './transfer-state.tsx';

export type Transfer = Deposit | Withdrawal;

export type TransfersListProps<T extends Transfer> = {
  readonly direction: 'deposit' | 'withdrawal';
  readonly lead: string;
  readonly looks: Readonly<Record<T['status'], readonly [tone: Tone, word: string]>>;
  readonly statuses: readonly T['status'][];
  readonly page: (
    options: { readonly cursor?: string; readonly limit: number; readonly signal: AbortSignal },
    filter: Omit<DepositFilter, 'status'> & { readonly status?: readonly T['status'][] },
  ) => Promise<Page<T>>;
};

export function TransfersList<T extends Transfer>(props: TransfersListProps<T>) {
  const { direction, lead, looks, statuses, page } = props;
  const { values, set, clear } = useAddressFilter(['state', 'wallet', 'transaction', 'since', 'until', 'bridge']);
  const [isSending, setSending] = useState(false);
  const { bridges } = useBridges();
  const wallets = useLinkedWallets();
  const chosen = values.state.split(',');
  const status = statuses.filter((each) => chosen.includes(each));
  const transactionHash = transactionHashOf(values.transaction);
  const filter = {
    ...(status.length > 0 && { status }),
    ...(values.wallet !== '' && { wallet: values.wallet }),
    ...(transactionHash !== undefined && { transactionHash }),
    ...dayRange(values.since, values.until),
    ...(values.bridge !== '' && { bridgeId: values.bridge }),
  };
  const query = usePages([`${direction}s`, filter], (options) => page(options, filter));
  const choices: readonly FilterChoice[] = [
    {
      ...{ label: 'State', value: status.join(), isMultiple: true },
      options: statuses.map((each) => [each, looks[each][1]] as const),
      onChange: (value) => set('state', value),
    },
    useWalletChoice(values.wallet, (value) => set('wallet', value)),
    { label: 'Transaction', value: values.transaction, type: 'hash', onChange: (value) => set('transaction', value) },
    { label: 'Since', value: values.since, type: 'date', onChange: (value) => set('since', value) },
    { label: 'Until', value: values.until, type: 'date', onChange: (value) => set('until', value) },
    ...((bridges?.length ?? 0) > 1 || values.bridge !== ''
      ? [
          {
            ...{ label: 'Bridge', value: values.bridge },
            options: (bridges ?? []).map(({ bridgeId, name }) => [bridgeId, name] as const),
            onChange: (value: string) => set('bridge', value),
          },
        ]
      : []),
  ];
  const isFiltered = choices.some(({ value }) => value !== '');
  const hasBridge = (bridges?.length ?? 0) > 0;
  const title = direction === 'deposit' ? 'Deposits' : 'Withdrawals';
  const sendButton = hasBridge && (wallets?.length ?? 0) > 0 && (
    <Button tone="primary" onClick={() => setSending(true)}>
      <Plus aria-hidden="true" className="size-4" />
      {direction === 'deposit' ? 'Deposit' : 'Withdraw'}
    </Button>
  );
  return (
    <div>
      <PageHead
        title={title}
        lead={lead}
        actions={
          hasBridge && (
            <>
              <WalletButton />
              {sendButton}
            </>
          )
        }
      />
      <Card flush>
        {(isFiltered || (query.entries ?? []).length > 0) && <FilterBar choices={choices} onClear={clear} />}
        <TransferRows
          {...{ query, direction, looks }}
          empty={
            isFiltered ? (
              <NothingMatches icon={ArrowDownUp} choices={choices} onClear={clear} />
            ) : (
              <NothingYet {...{ direction, hasBridge }} hasWallet={wallets?.length !== 0} />
            )
          }
        />
      </Card>
      {isSending && <TransferDialog direction={direction} onClose={() => setSending(false)} />}
    </div>
  );
}

type NothingYetProps = {
  readonly direction: 'deposit' | 'withdrawal';
  readonly hasBridge: boolean;
  readonly hasWallet: boolean;
};

function NothingYet({ direction, hasBridge, hasWallet }: NothingYetProps) {
  if (!hasBridge)
    return (
      <EmptyState icon={ArrowDownUp} title="This gateway has no bridge">
        The operator adds bridges under <code>bridges</code> in the gateway’s configuration.
      </EmptyState>
    );
  if (!hasWallet)
    return (
      <EmptyState
        icon={ArrowDownUp}
        title="No linked wallets"
        action={
          <ButtonLink href="/wallets" tone="primary">
            Link wallet
          </ButtonLink>
        }
      >
        {direction === 'deposit' ? 'Deposits' : 'Withdrawals'} of your linked wallets appear here, including those made
        before you linked them.
      </EmptyState>
    );
  return (
    <EmptyState icon={ArrowDownUp} title={`No ${direction}s yet`}>
      {direction === 'deposit'
        ? 'Transfers of your linked wallets from L1 to L2 appear here, no matter which tool sent them.'
        : 'Transfers of your linked wallets from L2 to L1 appear here, no matter which tool sent them.'}
    </EmptyState>
  );
}

type TransferRowsProps<T extends Transfer> = Pick<TransfersListProps<T>, 'direction' | 'looks'> & {
  readonly query: PagedQuery<T>;
  readonly empty: React.ReactNode;
};

export const transferId = (transfer: Transfer): string =>
  'depositId' in transfer ? transfer.depositId : transfer.withdrawalId;

function TransferRows<T extends Transfer>({ query, direction, looks, empty }: TransferRowsProps<T>) {
  const { bridges = [], nameOf } = useBridges();
  const columns: readonly Column<T>[] = [
    {
      title: 'Amount',
      phone: 'head',
      className: 'font-medium',
      cell: (transfer) => (
        <Link href={`/${direction}s/${transferId(transfer)}`} className="rounded underline-offset-4 hover:underline">
          {transfer.kind === 'message' && transfer.amount === '0' ? (
            'Message'
          ) : (
            <TransferAmount transfer={transfer} direction={direction} />
          )}
        </Link>
      ),
    },
    {
      title: 'State',
      cell: (transfer) => (
        <TransferState
          look={looks[transfer.status as T['status']]}
          isStalled={'stalled' in transfer && transfer.stalled}
          staleSince={transfer.staleSince}
        />
      ),
    },
    { title: 'From', cell: ({ from }) => <Party address={from} what="sender address" /> },
    { title: 'To', cell: ({ to }) => <Party address={to} what="recipient address" /> },
    ...(bridges.length > 1
      ? [
          {
            title: 'Bridge',
            cell: ({ bridgeId }: T) => <span className="break-words text-soft">{nameOf(bridgeId)}</span>,
          },
        ]
      : []),
    { title: 'Sent', cell: ({ createdAt }) => <Time at={createdAt} /> },
  ];
  return (
    <PagedList query={query} empty={empty}>
      {(transfers) => (
        <DataTable
          label={direction === 'deposit' ? 'Deposits' : 'Withdrawals'}
          columns={columns}
          rows={transfers}
          rowKey={transferId}
        />
      )}
    </PagedList>
  );
}

export type TransferAmountProps = { readonly transfer: Transfer; readonly direction: 'deposit' | 'withdrawal' };

export function TransferAmount({ transfer: { token, amount }, direction }: TransferAmountProps) {
  const address = direction === 'deposit' ? token.l1 : token.l2;
  return <TokenAmount {...{ amount, address }} decimals={token.decimals} symbol={token.symbol} />;
}
