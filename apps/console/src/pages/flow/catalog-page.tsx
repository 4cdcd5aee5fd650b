/** Catalog: the apps available to the user, the user's sessions, and app registration. */
import type { App } from '@flowgate/client/flow-wire';
import { useState } from 'react';
import { Link } from 'wouter';
import { Tag } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Card, PageHead } from '../../components/card.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Blocks, Plus } from '../../components/icons.tsx';
import { PagedList } from '../../components/paged-list.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { useGateway } from '../../gateway/gateway-context.tsx';
import { usePages } from '../../gateway/use-pages.ts';
import { appPath, appsQuery } from './flow-paths.ts';
import { RegisterAppDialog } from './publish/register-app-dialog.tsx';
import { SessionsCard } from './sessions-card.tsx';

export function CatalogPage() {
  const [isRegistering, setRegistering] = useState(false);
  const register = (
    <Button onClick={() => setRegistering(true)}>
      <Plus aria-hidden="true" className="size-4" />
      Register app
    </Button>
  );
  return (
    <div>
      <PageHead
        title="Flow Apps"
        lead="Guided workflows, step by step. Your wallet signs, and its keys never leave it."
        actions={register}
      />
      <Tabs
        label="Flow Apps"
        tabs={[
          { id: 'apps', title: 'Catalog', content: <Catalog register={register} /> },
          { id: 'sessions', title: 'Your sessions', content: <SessionsCard /> },
        ]}
      />
      {isRegistering && <RegisterAppDialog onClose={() => setRegistering(false)} />}
    </div>
  );
}

function Catalog({ register }: { readonly register: React.ReactNode }) {
  const client = useGateway();
  const query = usePages(appsQuery, (options) => client.flow.apps.page(options));
  const none = (
    <EmptyState icon={Blocks} title="No apps yet" action={register}>
      Register an app to see it here. Public apps are listed for every user.
    </EmptyState>
  );
  if (query.entries === undefined || query.entries.length === 0)
    return (
      <Card flush>
        <PagedList query={query} empty={none}>
          {() => null}
        </PagedList>
      </Card>
    );
  return (
    <PagedList query={query} empty={none}>
      {(apps) => (
        <ul className="grid gap-4 pb-4 sm:grid-cols-2 xl:grid-cols-3">
          {apps.map((app) => (
            <li key={app.appId} className="min-w-0">
              <AppCard app={app} />
            </li>
          ))}
        </ul>
      )}
    </PagedList>
  );
}

function AppCard({ app }: { readonly app: App }) {
  return (
    <article className="relative flex h-full flex-col gap-3 rounded-xl border border-line bg-surface p-5 shadow-card hover:border-line-strong">
      <div className="min-w-0">
        <h2 dir="auto" className="line-clamp-2 text-lg font-semibold wrap-anywhere">
          <Link href={appPath(app.appId)} className="after:absolute after:inset-0 after:rounded-xl">
            {app.name}
          </Link>
        </h2>
        <code className="block truncate text-xs! text-faint" title={app.appId}>
          {app.appId}
        </code>
      </div>
      <p dir="auto" className="line-clamp-3 flex-1 text-sm text-soft wrap-anywhere">
        {app.description ?? 'No description.'}
      </p>
      <AppFacts app={app} />
    </article>
  );
}

/** Publisher, visibility and whether a version is active. */
export function AppFacts({ app }: { readonly app: App }) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      {app.latestVersion === undefined ? <Tag>No active version</Tag> : <Tag>Version {app.latestVersion}</Tag>}
      {app.visibility === 'private' ? <Tag>Private: only you can see it</Tag> : <Tag>Public</Tag>}
    </div>
  );
}
