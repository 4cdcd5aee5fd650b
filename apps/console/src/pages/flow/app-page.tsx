/** One app: description, start, versions and the user's sessions; versions and webhooks for its publisher. */
import type { Version } from '@flowgate/client/flow-wire';
import { useQuery } from '@tanstack/react-query';
import { BackLink } from '../../components/back-link.tsx';
import { Card, PageHead } from '../../components/card.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { useGateway } from '../../gateway/gateway-context.tsx';
import { usePages } from '../../gateway/use-pages.ts';
import { AppFacts } from './catalog-page.tsx';
import { appsPath, appsQuery, versionsQuery } from './flow-paths.ts';
import { SubscriptionsCard } from './publish/subscriptions-card.tsx';
import { VersionsCard } from './publish/versions-card.tsx';
import { SessionsCard } from './sessions-card.tsx';
import { StartCard } from './start-card.tsx';

export function AppPage({ appId }: { readonly appId: string }) {
  const client = useGateway();
  const app = useQuery({
    queryKey: [...appsQuery, appId],
    queryFn: ({ signal }) => client.flow.apps.get(appId, { signal }),
  });
  const versions = usePages<Version>(versionsQuery(appId), (options) => client.flow.versions.page(appId, options));
  if (app.data === undefined)
    return (
      <div>
        <BackLink href={appsPath}>All apps</BackLink>
        <h1 className="sr-only">{appId}</h1>
        {app.error === null ? (
          <Card flush>
            <SkeletonRows />
          </Card>
        ) : (
          <ErrorNotice error={app.error} onRetry={() => void app.refetch()} />
        )}
      </div>
    );
  const { name, description } = app.data;
  const active = versions.entries?.filter(({ status }) => status === 'active');
  return (
    <div>
      <BackLink href={appsPath}>All apps</BackLink>
      <div dir="auto" className="wrap-anywhere">
        <PageHead title={name} lead={<code className="text-sm">{appId}</code>} />
      </div>
      <div className="mb-6 flex flex-col gap-3">
        <AppFacts app={app.data} />
        {description !== undefined && (
          <p dir="auto" className="max-w-2xl whitespace-pre-line text-soft wrap-anywhere">
            {description}
          </p>
        )}
      </div>
      <div className="flex flex-col gap-6">
        <StartCard app={app.data} active={active} />
        <Tabs
          label="About this app"
          tabs={[
            { id: 'sessions', title: 'Your sessions', content: <SessionsCard appId={appId} /> },
            { id: 'versions', title: 'Versions', content: <VersionsCard appId={appId} query={versions} /> },
            {
              id: 'webhooks',
              title: 'Webhooks',
              content: <SubscriptionsCard appId={appId} versions={active ?? []} />,
            },
          ]}
        />
      </div>
    </div>
  );
}
