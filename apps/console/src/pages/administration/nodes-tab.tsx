/** All nodes with the measurements of the responding gateway; administrators share and cordon them here. */
import type { AdministeredNode, AdministeredNodePatch } from '@flowgate/client';
import { Badge, Tag } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { classNames } from '../../components/class-names.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Server } from '../../components/icons.tsx';
import { PagedList } from '../../components/paged-list.tsx';
import { wholeNumber } from '../../format/whole-number.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import { useAction } from '../../gateway/use-action.ts';
import { usePages } from '../../gateway/use-pages.ts';
import { Figure } from '../networks/network-list.tsx';
import { NodeState } from '../networks/network-state.tsx';
import { figuresRefreshMs, NodeCircuit, NodeFigures } from '../networks/node-figures.tsx';

const key = ['admin', 'nodes'];

type Change = { readonly node: AdministeredNode; readonly patch: AdministeredNodePatch };

export function NodesTab() {
  const { nodes } = useGateway();
  const query = usePages(key, (options) => nodes.everybodys.page(options), { refreshMs: figuresRefreshMs });
  const change = useAction({
    run: ({ node, patch }: Change) => nodes.everybodys.change(node.nodeId, patch),
    changes: [key],
    done: ({ cordoned, shared }, { node, patch }) => {
      if (patch.cordoned !== undefined) return `${node.nodeId} ${cordoned ? 'cordoned' : 'uncordoned'}`;
      return `${node.nodeId} ${shared ? 'shared with every user' : 'no longer shared'}`;
    },
  });
  return (
    <Card title="Nodes" flush>
      <PagedList query={query} empty={<EmptyState icon={Server} title="No nodes yet" />}>
        {(rows) => (
          <DataTable label="Nodes" rows={rows} rowKey={({ nodeId }) => nodeId} columns={columnsWith(change.run)} />
        )}
      </PagedList>
    </Card>
  );
}

function columnsWith(onChange: (change: Change) => void): readonly Column<AdministeredNode>[] {
  return [
    {
      title: 'Node',
      phone: 'head',
      className: 'break-words @4xl:max-w-64',
      cell: ({ nodeId, label, dlt, networkId }) => (
        <>
          {label !== undefined && <span className="block font-medium">{label}</span>}
          <code className="break-all">{nodeId}</code>
          <span className="block text-xs text-faint">{`${dlt}/${networkId}`}</span>
        </>
      ),
    },
    {
      title: 'Owner',
      cell: ({ ownerId }) => <span className={ownerId && 'break-all'}>{ownerId ?? 'Operator'}</span>,
    },
    {
      title: 'State',
      cell: ({ status, cordoned, shared }) => (
        <span className="flex flex-wrap gap-1.5">
          <NodeState of={{ status }} />
          {cordoned && <Badge tone="warn">Cordoned</Badge>}
          {shared && <Tag>Shared</Tag>}
        </span>
      ),
    },
    { title: 'Head', align: 'right', cell: (node) => <Head of={node} /> },
    { title: 'Last 5 minutes', cell: (node) => <NodeFigures of={node} /> },
    { title: 'Circuit', cell: (node) => <NodeCircuit of={node} /> },
    {
      title: 'Actions',
      isTitleHidden: true,
      align: 'right',
      cell: (node) => (
        <span className="flex flex-wrap gap-2 @4xl:justify-end">
          {node.source === 'user' && (
            <Button size="sm" onClick={() => onChange({ node, patch: { shared: !node.shared } })}>
              {node.shared ? 'Unshare' : 'Share'}
              <span className="sr-only"> {node.nodeId}</span>
            </Button>
          )}
          <Button size="sm" onClick={() => onChange({ node, patch: { cordoned: !node.cordoned } })}>
            {node.cordoned ? 'Uncordon' : 'Cordon'}
            <span className="sr-only"> {node.nodeId}</span>
          </Button>
        </span>
      ),
    },
  ];
}

function Head({ of: { blockHeight, lagBlocks } }: { readonly of: AdministeredNode }) {
  return (
    <span className="inline-block">
      <Figure of={blockHeight} />
      {lagBlocks !== undefined && (
        <span className={classNames('block text-xs whitespace-nowrap', lagBlocks > 0 ? 'text-warn' : 'text-faint')}>
          {lagBlocks === 0 ? 'no lag' : `${wholeNumber(lagBlocks)} behind`}
        </span>
      )}
    </span>
  );
}
