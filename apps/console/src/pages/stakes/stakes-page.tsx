/** Stakes and rewards of the linked wallets, and actions on them. */
import type { ContractRecord, PreparedTransactions, Stake, UnreadableStakes } from '@flowgate/client';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button, ButtonLink } from '../../components/button.tsx';
import { Card, PageHead } from '../../components/card.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Coins, Plus, TriangleAlert } from '../../components/icons.tsx';
import { PagedList } from '../../components/paged-list.tsx';
import { useToast } from '../../components/toast.tsx';
import { useGateway } from '../../gateway/gateway-context.tsx';
import { useNetworkNames } from '../../gateway/use-network-names.ts';
import { useContracts } from '../../gateway/use-surfaces.ts';
import { SignTransactionsDialog } from '../../wallet/sign-transactions-dialog.tsx';
import { WalletButton } from '../../wallet/wallet-button.tsx';
import { useLinkedWallets } from '../ledger/linked-wallets.ts';
import { Party } from '../ledger/party.tsx';
import { TokenAmount } from '../ledger/token-amount.tsx';
import { StakeDialog, type StakeWish } from './stake-dialog.tsx';

const stakesQuery = ['stakes'];
const pageSize = 25;

type Prepared = PreparedTransactions & { readonly title: string };

export function StakesPage() {
  const query = useStakes();
  const contracts = useContracts()?.filter(({ role }) => role === 'staking');
  const wallets = useLinkedWallets();
  const queries = useQueryClient();
  const toast = useToast();
  const [wish, setWish] = useState<StakeWish>();
  const [prepared, setPrepared] = useState<Prepared>();
  const canStake = (contracts?.length ?? 0) > 0 && (wallets?.length ?? 0) > 0;
  if (contracts?.length === 0)
    return (
      <div>
        <PageHead title="Stakes" />
        <Card flush>
          <EmptyState icon={Coins} title="This gateway has no staking contract">
            The operator adds staking contracts under <code>networks[].staking</code> in the gateway’s configuration.
          </EmptyState>
        </Card>
      </div>
    );
  const stakeButton = canStake ? (
    <Button tone="primary" onClick={() => setWish({ action: 'stake' })}>
      <Plus aria-hidden="true" className="size-4" />
      Stake
    </Button>
  ) : undefined;
  return (
    <div>
      <PageHead
        title="Stakes"
        lead="Positions of your linked wallets, read from the chain. The gateway prepares transactions; your wallet signs them."
        actions={
          <>
            <WalletButton />
            {stakeButton}
          </>
        }
      />
      {query.unreadable.length > 0 && <Unreadable contracts={query.unreadable} />}
      <Card flush>
        <PagedList
          query={query}
          empty={
            wallets?.length === 0 ? (
              <EmptyState
                icon={Coins}
                title="No linked wallets"
                action={
                  <ButtonLink href="/wallets" tone="primary">
                    {' '}
                    Link wallet{' '}
                  </ButtonLink>
                }
              >
                Link a wallet to see and manage its positions.
              </EmptyState>
            ) : (
              <EmptyState icon={Coins} title="No positions yet">
                Positions of your linked wallets and their rewards appear here.
              </EmptyState>
            )
          }
        >
          {(stakes) => <StakeTable stakes={stakes} contracts={contracts ?? []} onWish={setWish} />}
        </PagedList>
      </Card>
      {wish !== undefined && (
        <StakeDialog
          wish={wish}
          contracts={contracts ?? []}
          wallets={wallets ?? []}
          onPrepared={(title, transactions) => {
            setWish(undefined);
            setPrepared({ title, transactions });
          }}
          onClose={() => setWish(undefined)}
        />
      )}
      {prepared !== undefined && (
        <SignTransactionsDialog
          title={prepared.title}
          transactions={prepared.transactions}
          onDone={() => {
            setPrepared(undefined);
            toast({ title: 'Done', text: 'The transaction is in a block.', tone: 'good' });
            void queries.invalidateQueries({ queryKey: stakesQuery });
          }}
          onClose={() => {
            setPrepared(undefined);
            // Some transactions may have been sent.
            void queries.invalidateQueries({ queryKey: stakesQuery });
          }}
        />
      )}
    </div>
  );
}

/** Paged like every list, plus the contracts that could not be read. */
function useStakes() {
  const client = useGateway();
  const query = useInfiniteQuery({
    queryKey: stakesQuery,
    queryFn: ({ pageParam, signal }) =>
      client.stakes.page({ limit: pageSize, signal, ...(pageParam === undefined ? {} : { cursor: pageParam }) }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor,
    refetchInterval: 15_000,
  });
  return {
    entries: query.data?.pages.flatMap(({ data }) => [...data]),
    unreadable: query.data?.pages.flatMap(({ unreadable = [] }) => [...unreadable]) ?? [],
    error: query.error ?? undefined,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
    refetch: () => void query.refetch(),
  };
}

type StakeTableProps = {
  readonly stakes: readonly Stake[];
  readonly contracts: readonly ContractRecord[];
  readonly onWish: (wish: StakeWish) => void;
};

function StakeTable({ stakes, contracts, onWish }: StakeTableProps) {
  const { nameOf } = useNetworkNames();
  const columns: readonly Column<Stake>[] = [
    {
      title: 'Contract',
      phone: 'head',
      className: 'font-medium break-words @4xl:max-w-60 @4xl:min-w-44',
      cell: (stake) => (
        <>
          {contracts.find(({ contractId }) => contractId === stake.contractId)?.name ?? stake.contractId}
          <span className="block text-sm font-normal text-soft">{nameOf(stake)}</span>
        </>
      ),
    },
    { title: 'Wallet', cell: ({ wallet }) => <Party address={wallet} what="wallet address" /> },
    {
      title: 'Staked',
      cell: ({ staked, stakingToken: token }) => <TokenAmount {...token} amount={staked} />,
    },
    {
      title: 'Earned',
      cell: ({ earned, rewardsToken: token }) => <TokenAmount {...token} amount={earned} />,
    },
    {
      title: 'Actions',
      isTitleHidden: true,
      align: 'right',
      cell: (position) => (
        <span className="inline-flex flex-wrap gap-1 lg:flex-nowrap lg:justify-end">
          <Button size="sm" onClick={() => onWish({ action: 'stake', position })}>
            Stake
          </Button>
          {position.staked !== '0' && (
            <Button size="sm" onClick={() => onWish({ action: 'unstake', position })}>
              Unstake
            </Button>
          )}
          {position.earned !== '0' && (
            <Button size="sm" onClick={() => onWish({ action: 'claim', position })}>
              Claim
            </Button>
          )}
          {position.staked !== '0' && (
            <Button size="sm" onClick={() => onWish({ action: 'exit', position })}>
              Exit
            </Button>
          )}
        </span>
      ),
    },
  ];
  return <DataTable label="Positions" columns={columns} rows={stakes} rowKey={({ stakeId }) => stakeId} />;
}

function Unreadable({ contracts }: { readonly contracts: readonly UnreadableStakes[] }) {
  const names = [...new Set(contracts.map(({ contractId }) => contractId))].join(', ');
  return (
    <p role="status" className="mb-4 flex gap-3 rounded-lg bg-warn-soft px-4 py-3 text-sm text-warn">
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0 break-words">
        These contracts could not be read: {names}. Your positions in them are unknown, not zero.
      </span>
    </p>
  );
}
