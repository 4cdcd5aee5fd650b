/** API keys: create, list, revoke. */
import type { ApiKeyRecord } from '@flowgate/client';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Card, PageHead } from '../../components/card.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Confirm } from '../../components/dialog.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { KeyRound, Plus } from '../../components/icons.tsx';
import { PagedList } from '../../components/paged-list.tsx';
import { Time } from '../../components/time.tsx';
import { useGateway } from '../../gateway/gateway-context.tsx';
import { useAction } from '../../gateway/use-action.ts';
import { usePages } from '../../gateway/use-pages.ts';
import { MintKeyDialog } from './mint-key-dialog.tsx';

const keysQuery = ['api-keys'];

export function KeysPage() {
  const client = useGateway();
  const query = usePages(keysQuery, (options) => client.apiKeys.page(options));
  const [isMinting, setMinting] = useState(false);
  const [revoked, setRevoked] = useState<ApiKeyRecord>();
  const revoke = useAction({
    run: (key: ApiKeyRecord) => client.apiKeys.revoke(key.keyId),
    changes: [keysQuery],
    done: (_, { label }) => `“${label}” revoked`,
    onDone: () => setRevoked(undefined),
  });
  const mintButton = (
    <Button tone="primary" onClick={() => setMinting(true)}>
      <Plus aria-hidden="true" className="size-4" />
      Create key
    </Button>
  );
  return (
    <div>
      <PageHead
        title="API keys"
        lead="An API key identifies you as the caller. It never signs: transactions still need your own wallet."
        actions={mintButton}
      />
      <Card flush>
        <PagedList
          query={query}
          empty={
            <EmptyState icon={KeyRound} title="No API keys yet">
              Wallets, backends and indexers call the gateway with an API key. You can have 10 active keys.
            </EmptyState>
          }
        >
          {(keys) => <KeyTables keys={keys} onRevoke={setRevoked} />}
        </PagedList>
      </Card>
      {isMinting && <MintKeyDialog changes={keysQuery} onClose={() => setMinting(false)} />}
      {revoked !== undefined && (
        <Confirm
          title={`Revoke “${revoked.label}”?`}
          action="Revoke"
          busy={revoke.busy}
          onConfirm={() => revoke.run(revoked)}
          onClose={() => setRevoked(undefined)}
        >
          The gateway will refuse calls with this key. This is permanent.
        </Confirm>
      )}
    </div>
  );
}

type KeyTablesProps = { readonly keys: readonly ApiKeyRecord[]; readonly onRevoke: (key: ApiKeyRecord) => void };

/** Active keys; revoked and expired ones are collapsed. */
function KeyTables({ keys, onRevoke }: KeyTablesProps) {
  const active = keys.filter((key) => stateOf(key) === 'active');
  const ended = keys.filter((key) => stateOf(key) !== 'active');
  return (
    <>
      {active.length === 0 && (
        <EmptyState icon={KeyRound} title="No active API keys">
          All your keys are revoked or expired.
        </EmptyState>
      )}
      {active.length > 0 && (
        <DataTable label="API keys" columns={activeColumns(onRevoke)} rows={active} rowKey={({ keyId }) => keyId} />
      )}
      {ended.length > 0 && (
        <details className="border-t border-line">
          <summary className="px-5 py-3 text-sm text-soft">
            {ended.length === 1 ? '1 revoked or expired key' : `${ended.length} revoked or expired keys`}
          </summary>
          <DataTable
            label="Revoked and expired keys"
            columns={endedColumns}
            rows={ended}
            rowKey={({ keyId }) => keyId}
          />
        </details>
      )}
    </>
  );
}

const common: readonly Column<ApiKeyRecord>[] = [
  {
    title: 'Label',
    phone: 'head',
    className: 'font-medium @4xl:max-w-64 break-words',
    cell: ({ label }) => label,
  },
  { title: 'Key', cell: ({ keyId }) => <code className="break-all">fk_{keyId}</code> },
  { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
  { title: 'Last used', cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
];

const endedColumns: readonly Column<ApiKeyRecord>[] = [
  ...common,
  {
    title: 'Ended',
    cell: ({ revokedAt, expiresAt }) => (
      <>
        {revokedAt === undefined ? 'Expired' : 'Revoked'} <Time at={revokedAt ?? expiresAt} />
      </>
    ),
  },
];

function activeColumns(onRevoke: KeyTablesProps['onRevoke']): readonly Column<ApiKeyRecord>[] {
  return [
    ...common,
    { title: 'Expires', cell: ({ expiresAt }) => <Time at={expiresAt} /> },
    {
      title: 'Actions',
      isTitleHidden: true,
      align: 'right',
      cell: (key) => (
        <Button size="sm" aria-label={`Revoke ${key.label}`} onClick={() => onRevoke(key)}>
          Revoke
        </Button>
      ),
    },
  ];
}

function stateOf({ revokedAt, expiresAt }: ApiKeyRecord): 'active' | 'revoked' | 'expired' {
  if (revokedAt !== undefined) return 'revoked';
  return expiresAt !== undefined && Date.parse(expiresAt) <= Date.now() ? 'expired' : 'active';
}
