/** One user, found by id: limits of their own, and their keys. */
import type { ApiKeyRecord, UserLimits, UserLimitsInput } from '@flowgate/client';
import { useQuery } from '@tanstack/react-query';
import { KeyRound, UserSearch } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { Tag } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Confirm } from '../../components/dialog.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Field, TextInput } from '../../components/field.tsx';
import { PagedList } from '../../components/paged-list.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { Time } from '../../components/time.tsx';
import { useGateway } from '../../gateway/gateway-context.tsx';
import { useAction } from '../../gateway/use-action.ts';
import { usePages } from '../../gateway/use-pages.ts';

export function UsersTab() {
  const [location, navigate] = useLocation();
  const userId = decodeURIComponent(location.split('/')[3] ?? '');
  const [typed, setTyped] = useState(userId);
  return (
    <div className="grid gap-4">
      <Card>
        <form
          className="flex max-w-xl items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            if (typed.trim() !== '') navigate(`/admin/users/${encodeURIComponent(typed.trim())}`);
          }}
        >
          <Field label="User" hint="The subject of their tokens." className="flex-1">
            {(control) => (
              <TextInput
                {...control}
                autoComplete="off"
                value={typed}
                onChange={({ target }) => setTyped(target.value)}
              />
            )}
          </Field>
          <Button type="submit" className="mb-6">
            Look up
          </Button>
        </form>
        {userId === '' && (
          <EmptyState icon={UserSearch} title="Whom are you looking for?">
            Type a user’s id to see and change their limits, and to revoke keys.
          </EmptyState>
        )}
      </Card>
      {userId !== '' && <LimitsCard key={`limits ${userId}`} userId={userId} />}
      {userId !== '' && <KeysCard key={`keys ${userId}`} userId={userId} />}
    </div>
  );
}

const members = [
  ['userPerMinute', 'Requests in any 60 seconds'],
  ['sessionPerMinute', 'Requests to one Flow session in any 60 seconds'],
  ['maxActiveKeys', 'Active API keys'],
  ['nodes', 'Registered nodes'],
] as const satisfies readonly (readonly [keyof UserLimits, string])[];

function LimitsCard({ userId }: { readonly userId: string }) {
  const client = useGateway();
  const { data, error, refetch } = useQuery({
    queryKey: ['admin', 'limits', userId],
    queryFn: ({ signal }) => client.admin.user(userId).limits.get({ signal }),
  });
  return (
    <Card title={`Limits of ${userId}`} lead="What is left empty is as configured.">
      {data === undefined && error === null && <SkeletonRows rows={2} />}
      {data === undefined && error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data !== undefined && <LimitsForm key={JSON.stringify(data)} userId={userId} limits={data} />}
    </Card>
  );
}

function LimitsForm({ userId, limits }: { readonly userId: string; readonly limits: UserLimits }) {
  const client = useGateway();
  const [typed, setTyped] = useState<Readonly<Partial<Record<keyof UserLimits, string>>>>(() =>
    Object.fromEntries(Object.entries(limits).map(([name, value]) => [name, String(value)])),
  );
  const save = useAction({
    run: async (input: UserLimitsInput): Promise<void> => {
      const { limits: own } = client.admin.user(userId);
      if (Object.values(input).every((value) => value === null)) await own.remove();
      else await own.set(input);
    },
    changes: [['admin', 'limits', userId]],
    done: () => `The limits of ${userId} are set`,
    showsError: true,
  });
  return (
    <form
      className="grid gap-4 sm:grid-cols-2"
      onSubmit={(event) => {
        event.preventDefault();
        const read = (name: keyof UserLimits) => {
          const text = typed[name]?.trim() ?? '';
          return text === '' ? null : Number(text);
        };
        save.run(Object.fromEntries(members.map(([name]) => [name, read(name)])));
      }}
    >
      {members.map(([name, label]) => (
        <Field key={name} label={label} optional>
          {(control) => (
            <TextInput
              {...control}
              inputMode="numeric"
              placeholder="as configured"
              value={typed[name] ?? ''}
              onChange={({ target }) => setTyped({ ...typed, [name]: target.value })}
            />
          )}
        </Field>
      ))}
      {save.error !== undefined && (
        <div className="sm:col-span-2">
          <ErrorNotice error={save.error} />
        </div>
      )}
      <div>
        <Button type="submit" tone="primary" busy={save.busy}>
          Save
        </Button>
      </div>
    </form>
  );
}

function KeysCard({ userId }: { readonly userId: string }) {
  const client = useGateway();
  const changes = ['admin', 'keys', userId];
  const query = usePages(changes, (options) => client.admin.user(userId).apiKeys.page(options));
  const [revoked, setRevoked] = useState<ApiKeyRecord>();
  const revoke = useAction({
    run: ({ keyId }: ApiKeyRecord) => client.admin.user(userId).apiKeys.revoke(keyId),
    changes: [changes],
    done: (_, { label }) => `“${label}” is revoked`,
    onDone: () => setRevoked(undefined),
  });
  return (
    <Card title={`API keys of ${userId}`} flush>
      <PagedList query={query} empty={<EmptyState icon={KeyRound} title="No API key" />}>
        {(keys) => (
          <DataTable
            label={`API keys of ${userId}`}
            rows={keys}
            rowKey={({ keyId }) => keyId}
            columns={[
              { title: 'Label', phone: 'head', className: 'font-medium break-words', cell: ({ label }) => label },
              { title: 'Key', cell: ({ keyId }) => <code>fk_{keyId}</code> },
              { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
              { title: 'Last used', cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
              {
                title: 'Actions',
                isTitleHidden: true,
                align: 'right',
                cell: (key) =>
                  key.revokedAt === undefined ? (
                    <Button size="sm" aria-label={`Revoke ${key.label}`} onClick={() => setRevoked(key)}>
                      Revoke
                    </Button>
                  ) : (
                    <Tag>Revoked</Tag>
                  ),
              },
            ]}
          />
        )}
      </PagedList>
      {revoked !== undefined && (
        <Confirm
          title={`Revoke “${revoked.label}” of ${userId}?`}
          action="Revoke"
          busy={revoke.busy}
          onConfirm={() => revoke.run(revoked)}
          onClose={() => setRevoked(undefined)}
        >
          Whoever uses this key is refused from then on. It cannot be undone.
        </Confirm>
      )}
    </Card>
  );
}
