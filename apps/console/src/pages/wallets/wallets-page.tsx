/** Linked wallets: link by a signature, list, unlink. */
import type { Wallet } from '@flowgate/client';
import { useState } from 'react';
import { Tag } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Card, PageHead } from '../../components/card.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Confirm } from '../../components/dialog.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Plus, WalletCards } from '../../components/icons.tsx';
import { PagedList } from '../../components/paged-list.tsx';
import { ShortHash } from '../../components/short-hash.tsx';
import { Time } from '../../components/time.tsx';
import { shortened } from '../../format/shortened.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import { useAction } from '../../gateway/use-action.ts';
import { useNetworkNames } from '../../gateway/use-network-names.ts';
import { usePages } from '../../gateway/use-pages.ts';
import { LinkWalletDialog } from './link-wallet-dialog.tsx';

const walletsQuery = ['wallets'];
/** Queries that depend on the linked wallets. */
const dependentQueries = [walletsQuery, ['linked-wallets'], ['stakes'], ['deposits'], ['withdrawals'], ['history']];

export function WalletsPage() {
  const client = useGateway();
  const query = usePages(walletsQuery, (options) => client.wallets.page(options));
  const [isLinking, setLinking] = useState(false);
  const [unlinked, setUnlinked] = useState<Wallet>();
  const unlink = useAction({
    run: ({ address }: Wallet) => client.wallets.unlink(address),
    changes: dependentQueries,
    done: (_, wallet) => `${nameOf(wallet)} unlinked`,
    onDone: () => setUnlinked(undefined),
  });
  const linkButton = (
    <Button tone="primary" onClick={() => setLinking(true)}>
      <Plus aria-hidden="true" className="size-4" />
      Link wallet
    </Button>
  );
  return (
    <div>
      <PageHead
        title="Wallets"
        lead="Link a wallet to see its stakes, deposits and withdrawals. You sign a message, which costs nothing and moves no funds."
        actions={linkButton}
      />
      <Card flush>
        <PagedList
          query={query}
          empty={
            <EmptyState icon={WalletCards} title="No linked wallets">
              Stakes, deposits, withdrawals and history cover your linked wallets. You can link up to 20.
            </EmptyState>
          }
        >
          {(wallets) => <WalletTable wallets={wallets} onUnlink={setUnlinked} />}
        </PagedList>
      </Card>
      {isLinking && <LinkWalletDialog changes={dependentQueries} onClose={() => setLinking(false)} />}
      {unlinked !== undefined && (
        <Confirm
          title={`Unlink ${nameOf(unlinked)}?`}
          action="Unlink"
          busy={unlink.busy}
          onConfirm={() => unlink.run(unlinked)}
          onClose={() => setUnlinked(undefined)}
        >
          You will no longer see its stakes, deposits, withdrawals and history. Nothing changes on any chain. You can
          link it again.
        </Confirm>
      )}
    </div>
  );
}

const nameOf = ({ label, address }: Wallet): string => (label === undefined ? shortened(address) : `“${label}”`);

type WalletTableProps = { readonly wallets: readonly Wallet[]; readonly onUnlink: (wallet: Wallet) => void };

function WalletTable({ wallets, onUnlink }: WalletTableProps) {
  const { nameOfChain } = useNetworkNames();
  const columns: readonly Column<Wallet>[] = [
    {
      title: 'Label',
      phone: 'head',
      className: 'font-medium @4xl:max-w-56 break-words',
      cell: ({ label }) => (label === undefined ? <span className="text-faint">No label</span> : <bdi>{label}</bdi>),
    },
    { title: 'Address', cell: ({ address }) => <ShortHash value={address} what="address" /> },
    {
      title: 'Kind',
      cell: ({ kind }) => <Tag>{kind === 'contract' ? 'Contract' : 'Account'}</Tag>,
    },
    {
      title: 'Verified on',
      cell: ({ chainId }) => <span className="break-words">{nameOfChain(chainId)}</span>,
    },
    { title: 'Linked', cell: ({ linkedAt }) => <Time at={linkedAt} /> },
    {
      title: 'Actions',
      isTitleHidden: true,
      align: 'right',
      cell: (wallet) => (
        <Button size="sm" aria-label={`Unlink ${wallet.label ?? wallet.address}`} onClick={() => onUnlink(wallet)}>
          Unlink
        </Button>
      ),
    },
  ];
  return <DataTable label="Linked wallets" columns={columns} rows={wallets} rowKey={({ address }) => address} />;
}
