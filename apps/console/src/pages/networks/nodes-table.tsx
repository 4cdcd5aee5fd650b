/** Nodes with owner, last check and the owner's actions. */
import type { NodeRecord } from '@flowgate/client';
import { useLocation } from 'wouter';
import { Tag } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { MoreHorizontal } from '../../components/icons.tsx';
import { Menu } from '../../components/menu.tsx';
import { ShortHash } from '../../components/short-hash.tsx';
import { Time } from '../../components/time.tsx';
import { wholeNumber } from '../../format/whole-number.ts';
import { networkPath } from '../../gateway/use-networks.ts';
import { Figure } from './network-list.tsx';
import { NodeState } from './network-state.tsx';
import { NodeCircuit, NodeFigures } from './node-figures.tsx';

export type NodesTableProps = {
  readonly nodes: readonly NodeRecord[];
  readonly networkHead: number | undefined;
  readonly onChange: (node: NodeRecord) => void;
  readonly onRemove: (node: NodeRecord) => void;
};

/** The gateway returns a node's masked URL only to its owner. */
const isOwn = ({ source, url }: NodeRecord): boolean => source === 'user' && url !== undefined;

export function NodesTable({ nodes, networkHead, onChange, onRemove }: NodesTableProps) {
  const [, navigate] = useLocation();
  const columns: readonly Column<NodeRecord>[] = [
    {
      title: 'Node',
      phone: 'head',
      className: '@max-4xl:pr-10 @4xl:max-w-72 @4xl:min-w-48',
      cell: (node) => <Name of={node} />,
    },
    { title: 'Owner', cell: (node) => <Owner of={node} /> },
    { title: 'State', cell: (node) => <StateAndCheck of={node} /> },
    { title: 'Head', align: 'right', cell: (node) => <Head of={node} networkHead={networkHead} /> },
    // The gateway returns these only to a node's owner.
    ...(nodes.some(({ last5Minutes }) => last5Minutes !== undefined) ? figureColumns : []),
    {
      title: 'Actions',
      isTitleHidden: true,
      phone: 'corner',
      align: 'right',
      cell: (node) => (
        <Menu
          trigger={
            <Button tone="quiet" size="icon" aria-label={`Actions for ${node.label ?? node.nodeId}`}>
              <MoreHorizontal aria-hidden="true" className="size-4" />
            </Button>
          }
          items={[
            { label: 'Open in playground', onSelect: () => navigate(playgroundPath(node)) },
            ...(isOwn(node)
              ? [
                  { label: 'Edit…', onSelect: () => onChange(node) },
                  { label: 'Remove…', danger: true, onSelect: () => onRemove(node) },
                ]
              : []),
          ]}
        />
      ),
    },
  ];
  return <DataTable label="Nodes" columns={columns} rows={nodes} rowKey={({ nodeId }) => nodeId} />;
}

const figureColumns: readonly Column<NodeRecord>[] = [
  { title: 'Last 5 minutes', cell: (node) => <NodeFigures of={node} /> },
  { title: 'Circuit', cell: (node) => <NodeCircuit of={node} /> },
];

function playgroundPath(node: NodeRecord): string {
  return `/playground?${new URLSearchParams({ network: networkPath(node), node: node.nodeId })}`;
}

function Name({ of: { nodeId, label, url } }: { readonly of: NodeRecord }) {
  return (
    <span className="block min-w-0">
      {label !== undefined && <span className="block font-medium break-words">{label}</span>}
      {nodeId.length > 24 ? (
        <ShortHash value={nodeId} what="node ID" />
      ) : (
        <code className={label === undefined ? 'font-medium' : undefined}>{nodeId}</code>
      )}
      {url !== undefined && <span className="block text-xs break-all text-faint">{url}</span>}
    </span>
  );
}

function Owner({ of }: { readonly of: NodeRecord }) {
  if (isOwn(of)) return <Tag>{of.shared ? 'Yours, shared' : 'Yours'}</Tag>;
  return <Tag>{of.source === 'operator' ? 'Operator' : 'Shared'}</Tag>;
}

function StateAndCheck({ of }: { readonly of: NodeRecord }) {
  const { checkedAt, latencyMs } = of;
  return (
    <span className="inline-block">
      <NodeState of={of} />
      {checkedAt !== undefined && (
        <span className="mt-0.5 block text-xs text-faint">
          checked <Time at={checkedAt} />
          {latencyMs !== undefined && <span className="whitespace-nowrap">, {wholeNumber(latencyMs)} ms</span>}
        </span>
      )}
    </span>
  );
}

function Head({ of, networkHead }: { readonly of: NodeRecord; readonly networkHead: number | undefined }) {
  const { blockHeight, status } = of;
  const behind = blockHeight === undefined || networkHead === undefined ? 0 : networkHead - blockHeight;
  return (
    <span>
      <Figure of={blockHeight} />
      {behind > 0 && status === 'healthy' && (
        <span className="block text-xs whitespace-nowrap text-faint">{wholeNumber(behind)} behind</span>
      )}
    </span>
  );
}
