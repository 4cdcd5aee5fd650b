/** Users, searchable by ID; for one user, its limits and API keys. */
import type { ApiKeyRecord, ListedUser, UserLimits, UserLimitsInput, UserLimitsReport } from '@flowgate/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { BackLink } from '../../components/back-link.tsx';
import { Tag } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Confirm } from '../../components/dialog.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Field, TextInput } from '../../components/field.tsx';
import { KeyRound, UserSearch } from '../../components/icons.tsx';
import { PagedList } from '../../components/paged-list.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { Time } from '../../components/time.tsx';
import { useSettled } from '../../components/use-settled.ts';
import { wholeNumber } from '../../format/whole-number.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import { useAction } from '../../gateway/use-action.ts';
import { usePages } from '../../gateway/use-pages.ts';

const usersPath = '/admin/users';

export function UsersTab() {
  const [location] = useLocation();
  const userId = decodeURIComponent(location.split('/')[3] ?? '');
  if (userId === '') return <UserList />;
  return (
    <div className="grid gap-4">
      <BackLink href={usersPath}>All users</BackLink>
      <LimitsCard key={`limits ${userId}`} userId={userId} />
      <KeysCard key={`keys ${userId}`} userId={userId} />
    </div>
  );
}

const columns: readonly Column<ListedUser>[] = [
  {
    title: 'User',
    phone: 'head',
    className: 'font-medium @4xl:max-w-96',
    cell: ({ userId }) => (
      <Link
        href={`${usersPath}/${encodeURIComponent(userId)}`}
        className="break-all underline-offset-2 hover:underline"
      >
        {userId}
      </Link>
    ),
  },
  { title: 'Last request', cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
  { title: 'Requests (24 h)', align: 'right', cell: ({ requests24h }) => wholeNumber(requests24h) },
  { title: 'Active keys', align: 'right', cell: ({ keys }) => wholeNumber(keys) },
];

function UserList() {
  const client = useGateway();
  const [typed, setTyped] = useState('');
  const search = useSettled(typed.trim(), typed.trim());
  const query = usePages(['admin', 'users', search], (options) =>
    client.admin.users.page({ ...options, filter: search === '' ? {} : { search } }),
  );
  return (
    <Card title="Users" lead="All users with API keys or usage." flush>
      <div className="max-w-md px-5 pb-4">
        <Field label="Search by ID">
          {(control) => (
            <TextInput
              {...control}
              type="search"
              autoComplete="off"
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
            />
          )}
        </Field>
      </div>
      <PagedList
        query={query}
        empty={
          <EmptyState icon={UserSearch} title={search === '' ? 'No users yet' : 'No matching users'}>
            Users appear after their first request or API key.
          </EmptyState>
        }
      >
        {(users) => <DataTable label="Users" columns={columns} rows={users} rowKey={({ userId }) => userId} />}
      </PagedList>
    </Card>
  );
}

const members = [
  ['userPerMinute', 'Requests per minute'],
  ['sessionPerMinute', 'Flow session requests per minute'],
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
    <Card title={`Limits of ${userId}`} lead="Leave a field empty to use the configured limit.">
      {data === undefined && error === null && <SkeletonRows rows={2} />}
      {data === undefined && error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data !== undefined && <LimitsForm key={JSON.stringify(data)} userId={userId} limits={data} />}
    </Card>
  );
}

function LimitsForm({ userId, limits }: { readonly userId: string; readonly limits: UserLimitsReport }) {
  const client = useGateway();
  const [typed, setTyped] = useState<Readonly<Partial<Record<keyof UserLimits, string>>>>(() =>
    Object.fromEntries(members.flatMap(([name]) => (limits[name] === undefined ? [] : [[name, String(limits[name])]]))),
  );
  const save = useAction({
    run: async (input: UserLimitsInput): Promise<void> => {
      const { limits: own } = client.admin.user(userId);
      if (Object.values(input).every((value) => value === null)) await own.remove();
      else await own.set(input);
    },
    changes: [['admin', 'limits', userId]],
    done: () => `Limits of ${userId} saved`,
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
        <Field key={name} label={label} optional hint={`Configured: ${wholeNumber(limits.configured[name])}`}>
          {(control) => (
            <TextInput
              {...control}
              inputMode="numeric"
              placeholder={String(limits.configured[name])}
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
    done: (_, { label }) => `“${label}” revoked`,
    onDone: () => setRevoked(undefined),
  });
  return (
    <Card title={`API keys of ${userId}`} flush>
      <PagedList query={query} empty={<EmptyState icon={KeyRound} title="No API keys" />}>
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
          The gateway will refuse calls with this key. This is permanent.
        </Confirm>
      )}
    </Card>
  );
}
