/** Versions of an app: view the manifest, publish a version, retire one. */
import type { Version } from '@flowgate/client/flow-wire';
import { useState } from 'react';
import { Tag } from '../../../components/badge.tsx';
import { Button } from '../../../components/button.tsx';
import { Card } from '../../../components/card.tsx';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { Confirm, Dialog } from '../../../components/dialog.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { PackageOpen, Upload } from '../../../components/icons.tsx';
import { PagedList } from '../../../components/paged-list.tsx';
import { Time } from '../../../components/time.tsx';
import { useGateway } from '../../../gateway/gateway-context.tsx';
import { useAction } from '../../../gateway/use-action.ts';
import type { PagedQuery } from '../../../gateway/use-pages.ts';
import { appsQuery, versionsQuery } from '../flow-paths.ts';
import { FactsList } from '../runner/facts-list.tsx';
import { PublishVersionDialog } from './publish-version-dialog.tsx';

export type VersionsCardProps = { readonly appId: string; readonly query: PagedQuery<Version> };

export function VersionsCard({ appId, query }: VersionsCardProps) {
  const client = useGateway();
  const [isPublishing, setPublishing] = useState(false);
  const [shown, setShown] = useState<Version>();
  const [leaving, setLeaving] = useState<Version>();
  const retire = useAction({
    run: ({ version }: Version) => client.flow.versions.retire(appId, version),
    changes: [versionsQuery(appId), appsQuery],
    done: ({ version }) => `Version ${version} retired`,
    onDone: () => setLeaving(undefined),
  });
  const publish = (
    <Button size="sm" onClick={() => setPublishing(true)}>
      <Upload aria-hidden="true" className="size-4" />
      Publish version
    </Button>
  );
  return (
    <Card title="Versions" lead="The publisher adds and retires versions." flush actions={publish}>
      <PagedList
        query={query}
        empty={
          <EmptyState icon={PackageOpen} title="No versions yet">
            Publish a version so that users can start the app. A version has the app’s URL, steps and events.
          </EmptyState>
        }
      >
        {(versions) => (
          <DataTable
            label="Versions"
            columns={columnsWith(setShown, setLeaving)}
            rows={versions}
            rowKey={({ version }) => version}
          />
        )}
      </PagedList>
      {isPublishing && <PublishVersionDialog appId={appId} onClose={() => setPublishing(false)} />}
      {shown !== undefined && (
        <Dialog
          wide
          title={`Version ${shown.version}`}
          lead="What this version declares."
          onClose={() => setShown(undefined)}
        >
          <FactsList facts={declaredBy(shown)} />
        </Dialog>
      )}
      {leaving !== undefined && (
        <Confirm
          title={`Retire version ${leaving.version}?`}
          action="Retire"
          busy={retire.busy}
          onConfirm={() => retire.run(leaving)}
          onClose={() => setLeaving(undefined)}
        >
          It can no longer be started, and its running sessions accept no more submissions. This is permanent.
        </Confirm>
      )}
    </Card>
  );
}

function declaredBy({ baseUrl, startSteps, steps, queries, events }: Version) {
  return {
    baseUrl,
    startSteps: startSteps.join(', '),
    steps: steps.map(({ stepId }) => stepId).join(', '),
    queries: queries.map(({ queryId, path }) => `${queryId}: ${path}`),
    events: events.map(({ type }) => type).join(', '),
  };
}

type Choose = (version: Version) => void;

function columnsWith(onShow: Choose, onRetire: Choose): readonly Column<Version>[] {
  return [
    { title: 'Version', phone: 'head', className: 'font-medium wrap-anywhere', cell: ({ version }) => version },
    {
      title: 'State',
      cell: ({ status }) => <Tag>{status === 'active' ? 'Active' : 'Retired'}</Tag>,
    },
    { title: 'Published', cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      title: 'Actions',
      isTitleHidden: true,
      align: 'right',
      cell: (version) => (
        <span className="inline-flex gap-2">
          {version.status === 'active' && (
            <Button
              size="sm"
              tone="quiet"
              aria-label={`Retire version ${version.version}`}
              onClick={() => onRetire(version)}
            >
              Retire
            </Button>
          )}
          <Button size="sm" aria-label={`View version ${version.version}`} onClick={() => onShow(version)}>
            View
          </Button>
        </span>
      ),
    },
  ];
}
