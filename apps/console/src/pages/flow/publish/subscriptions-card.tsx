/** Webhooks for events of the user's own sessions of an app (contract/events#subscriptions). */
import type { Subscription, Version } from '@flowgate/client/flow-wire';
import { useState } from 'react';
import { Badge } from '../../../components/badge.tsx';
import { Button } from '../../../components/button.tsx';
import { Card } from '../../../components/card.tsx';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { Confirm } from '../../../components/dialog.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { Plus, Webhook } from '../../../components/icons.tsx';
import { PagedList } from '../../../components/paged-list.tsx';
import { Time } from '../../../components/time.tsx';
import { useGateway } from '../../../gateway/gateway-context.tsx';
import { useAction } from '../../../gateway/use-action.ts';
import { usePages } from '../../../gateway/use-pages.ts';
import { subscriptionsQuery } from '../flow-paths.ts';
import { SubscribeDialog } from './subscribe-dialog.tsx';

export type SubscriptionsCardProps = { readonly appId: string; readonly versions: readonly Version[] };

export function SubscriptionsCard({ appId, versions }: SubscriptionsCardProps) {
  const client = useGateway();
  const key = subscriptionsQuery(appId);
  const query = usePages<Subscription>(key, (options) => client.flow.subscriptions.page(appId, options));
  const [isSubscribing, setSubscribing] = useState(false);
  const [leaving, setLeaving] = useState<Subscription>();
  const remove = useAction({
    run: ({ subscriptionId }: Subscription) => client.flow.subscriptions.remove(appId, subscriptionId),
    changes: [key],
    done: () => 'Subscription removed',
    onDone: () => setLeaving(undefined),
  });
  const subscribe = (
    <Button size="sm" onClick={() => setSubscribing(true)}>
      <Plus aria-hidden="true" className="size-4" />
      Subscribe
    </Button>
  );
  return (
    <Card title="Webhooks" lead="Events of your sessions, posted to your server." flush actions={subscribe}>
      <PagedList
        query={query}
        empty={
          <EmptyState icon={Webhook} title="No webhooks yet">
            Each event is signed and posted to your URL. Failed deliveries are retried for a day.
          </EmptyState>
        }
      >
        {(subscriptions) => (
          <DataTable
            label="Subscriptions"
            columns={columnsWith(setLeaving)}
            rows={subscriptions}
            rowKey={({ subscriptionId }) => subscriptionId}
          />
        )}
      </PagedList>
      {isSubscribing && (
        <SubscribeDialog
          appId={appId}
          types={[...new Set(versions.flatMap(({ events }) => events.map(({ type }) => type)))]}
          onClose={() => setSubscribing(false)}
        />
      )}
      {leaving !== undefined && (
        <Confirm
          title="Remove this subscription?"
          action="Remove"
          busy={remove.busy}
          onConfirm={() => remove.run(leaving)}
          onClose={() => setLeaving(undefined)}
        >
          Undelivered events are dropped, and the URL receives no more events.
        </Confirm>
      )}
    </Card>
  );
}

function columnsWith(onRemove: (subscription: Subscription) => void): readonly Column<Subscription>[] {
  return [
    { title: 'Event', phone: 'head', className: 'font-medium wrap-anywhere', cell: ({ eventType }) => eventType },
    {
      title: 'URL',
      className: '@4xl:max-w-72',
      cell: ({ targetUrl }) => <code className="wrap-anywhere">{targetUrl}</code>,
    },
    { title: 'State', cell: (subscription) => <State of={subscription} /> },
    { title: 'Since', cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      title: 'Actions',
      isTitleHidden: true,
      align: 'right',
      cell: (subscription) => (
        <Button size="sm" onClick={() => onRemove(subscription)}>
          Remove
        </Button>
      ),
    },
  ];
}

function State({ of: { status, disabledReason } }: { readonly of: Subscription }) {
  if (status === 'active') return <Badge tone="good">Active</Badge>;
  return (
    <span className="flex flex-col gap-1">
      <Badge tone="bad">Disabled</Badge>
      {disabledReason !== undefined && <span className="text-xs text-soft wrap-anywhere">{disabledReason}</span>}
    </span>
  );
}
