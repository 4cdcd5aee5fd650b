/** One network: state, endpoints and nodes. */
import { FlowgateError, type NetworkRecord, type NodeRecord } from '@flowgate/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { BackLink } from '../../components/back-link.tsx';
import { Button, ButtonLink } from '../../components/button.tsx';
import { Card, PageHead, Stat } from '../../components/card.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Confirm } from '../../components/dialog.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Network, Plus, Server, Terminal } from '../../components/icons.tsx';
import { PagedList } from '../../components/paged-list.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { wholeNumber } from '../../format/whole-number.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import { useAction } from '../../gateway/use-action.ts';
import { networkPath, networksQuery } from '../../gateway/use-networks.ts';
import { usePages } from '../../gateway/use-pages.ts';
import { useSession } from '../../session/session-context.tsx';
import { ChangeNodeDialog } from './change-node-dialog.tsx';
import { familyNames } from './network-list.tsx';
import { NetworkState } from './network-state.tsx';
import { figuresRefreshMs } from './node-figures.tsx';
import { NodesTable } from './nodes-table.tsx';
import { RegisterNodeDialog } from './register-node-dialog.tsx';

/** Faster while a new node is being checked. */
const pendingRefreshMs = 2_000;
const refreshMs = 15_000;

export type NetworkDetailProps = { readonly dlt: string; readonly networkId: string };

export function NetworkDetail(name: NetworkDetailProps) {
  const { dlt, networkId } = name;
  const client = useGateway();
  const network = useQuery({
    queryKey: [...networksQuery, dlt, networkId],
    queryFn: ({ signal }) => client.networks.get(name, { signal }),
    refetchInterval: refreshMs,
  });
  const nodesQuery = ['nodes', dlt, networkId];
  const nodes = usePages(nodesQuery, (options) => client.nodes.page({ ...options, filter: name }), {
    refreshMs: (entries) =>
      entries.some(({ status }) => status === 'pending') ? pendingRefreshMs : figuresRefreshMs(entries),
  });
  const [isRegistering, setRegistering] = useState(false);
  const [changed, setChanged] = useState<NodeRecord>();
  const [removed, setRemoved] = useState<NodeRecord>();
  const changes = [nodesQuery, networksQuery];
  const remove = useAction({
    run: (node: NodeRecord) => client.nodes.remove(node.nodeId),
    changes,
    done: (_, node) => `“${nodeName(node)}” removed`,
    onDone: () => setRemoved(undefined),
  });
  const registerButton = (
    <Button tone="primary" onClick={() => setRegistering(true)}>
      <Plus aria-hidden="true" className="size-4" />
      Register node
    </Button>
  );
  if (network.error instanceof FlowgateError && network.error.status === 404)
    return (
      <div>
        <BackLink href="/networks">All networks</BackLink>
        <PageHead title={networkPath(name)} />
        <Card flush>
          <EmptyState icon={Network} title="Network not found">
            Check the address. The operator may have removed the network, or a policy may deny it.
          </EmptyState>
        </Card>
      </div>
    );
  return (
    <div>
      <BackLink href="/networks">All networks</BackLink>
      <PageHead
        title={network.data?.name ?? networkPath(name)}
        lead={<code className="break-all">{networkPath(name)}</code>}
        actions={
          <>
            <ButtonLink href={`/playground?network=${encodeURIComponent(networkPath(name))}`}>
              <Terminal aria-hidden="true" className="size-4" />
              Try it
            </ButtonLink>
            {registerButton}
          </>
        }
      />
      <div className="grid gap-4">
        {network.error !== null && <ErrorNotice error={network.error} onRetry={() => void network.refetch()} />}
        {(network.data !== undefined || network.error === null) && <Figures of={network.data} />}
        <Addresses path={`/dlts/${networkPath(name).replace('/', '/networks/')}/rpc`} />
        <Card title="Nodes" lead="Your nodes first, then shared nodes, then the operator’s." flush>
          <PagedList
            query={nodes}
            empty={
              <EmptyState icon={Server} title="No nodes available">
                Register your own node with its URL at a provider, including the provider’s key.
              </EmptyState>
            }
          >
            {(entries) => (
              <NodesTable
                nodes={entries}
                networkHead={network.data?.blockHeight}
                onChange={setChanged}
                onRemove={setRemoved}
              />
            )}
          </PagedList>
        </Card>
      </div>
      {isRegistering && <RegisterNodeDialog network={name} changes={changes} onClose={() => setRegistering(false)} />}
      {changed !== undefined && (
        <ChangeNodeDialog node={changed} changes={changes} onClose={() => setChanged(undefined)} />
      )}
      {removed !== undefined && (
        <Confirm
          title={`Remove “${nodeName(removed)}”?`}
          action="Remove"
          busy={remove.busy}
          onConfirm={() => remove.run(removed)}
          onClose={() => setRemoved(undefined)}
        >
          Every gateway stops sending it calls within 5 seconds. You can register its URL again.
        </Confirm>
      )}
    </div>
  );
}

export const nodeName = ({ label, nodeId }: NodeRecord): string => label ?? nodeId;

function Figures({ of }: { readonly of: NetworkRecord | undefined }) {
  if (of === undefined)
    return (
      <div role="status" aria-label="Loading" className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4">
        {['state', 'head', 'nodes', 'chain'].map((each) => (
          <Skeleton key={each} className="h-24" />
        ))}
      </div>
    );
  const { blockHeight, nodes, chainId, family } = of;
  return (
    <div className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4">
      <Stat label="State" value={<NetworkState of={of} />} note="By this gateway’s health checks" />
      <Stat
        label="Head"
        value={blockHeight === undefined ? '–' : wholeNumber(blockHeight)}
        note="Highest of its healthy nodes"
      />
      <Stat label="Healthy nodes" value={`${nodes.healthy} of ${nodes.total}`} note="The operator’s and shared" />
      <Stat
        label={chainId === undefined ? 'Family' : 'Chain ID'}
        value={chainId ?? familyNames[family]}
        note={chainId === undefined ? 'Determines the available methods' : familyNames[family]}
      />
    </div>
  );
}

function Addresses({ path }: { readonly path: string }) {
  const { config } = useSession();
  const http = config.publicUrl + path;
  const addresses = [
    ['JSON-RPC', http],
    ['WebSocket', http.replace(/^http/, 'ws')],
  ] as const;
  return (
    <Card title="Endpoints" lead="Send an API key in the X-API-Key header, or append it to the URL as a path segment.">
      <dl className="grid gap-2">
        {addresses.map(([title, address]) => (
          <div key={title} className="flex min-w-0 items-center gap-x-4 gap-y-0 max-sm:flex-wrap">
            <dt className="w-24 shrink-0 text-sm text-faint max-sm:w-full">{title}</dt>
            <dd className="flex min-w-0 items-center gap-1">
              <code className="min-w-0 break-all">{address}</code>
              <CopyButton text={address} what={`${title} endpoint`} />
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
