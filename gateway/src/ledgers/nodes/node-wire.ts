/** Registered and operator nodes as callers see them (contract/nodes#the-node). */

import { isoTime } from '@flowgate/base/iso-time';
import { identifier, plainText, time } from '@flowgate/body-schema/body-members';
import { type BodyOf, bodySchema, pageSchema } from '@flowgate/body-schema/body-schema';
import { z } from 'zod';
import { networkPath } from '../../api/network-path.ts';
import type { PathParameterDoc } from '../../api/route.ts';
import { maskedUrl } from './masked-url.ts';
import type { NodeRecord, NodeStatus } from './node-store.ts';
import type { NodeKind } from './node-url.ts';

export const exampleNodeId = 'node_01KAJ0Z6V2M8T4Q9R3WX5Y7ABD';

export const nodeLabel = () =>
  plainText(100, { abort: true }).describe('Unicode code points, no control or format characters.');

const members = () => ({
  nodeId: identifier().describe('Names the node, in the whole installation.'),
  dlt: identifier(),
  networkId: identifier(),
  providerId: identifier().describe('The approved provider that its host belongs to.').exactOptional(),
  label: nodeLabel().exactOptional(),
  kind: z.enum(['public', 'private']).describe('`private`: an administrator vouches for its address.'),
  source: z.enum(['user', 'operator']).describe('Registered by a user, or named in the configuration.'),
  shared: z.boolean().describe('Whether everybody may call it, and the pool of its network does.'),
  cordoned: z.boolean().describe('Whether an administrator lets it have no calls; left out when not.').exactOptional(),
  url: z
    .string()
    .describe('On own nodes, and for administrators. Path segments that could be a key read `***`.')
    .exactOptional(),
  status: z
    .enum(['pending', 'healthy', 'unhealthy'])
    .describe('`pending` until its first check; `unhealthy` after three failures in a row, or on another chain.'),
  blockHeight: z.int().min(0).describe('Its newest block at the last successful check.').exactOptional(),
  latencyMs: z.int().min(0).describe('Of its answer to the last successful check, in milliseconds.').exactOptional(),
  checkedAt: time('When it was last checked.').exactOptional(),
  createdAt: time('When it was registered; for nodes of the operator, when this gateway started.'),
});

const example = {
  nodeId: exampleNodeId,
  dlt: 'ethereum',
  networkId: 'dev',
  providerId: 'alchemy',
  label: 'indexer',
  kind: 'public',
  source: 'user',
  shared: false,
  url: 'https://eth-mainnet.g.alchemy.com/v2/***',
  status: 'healthy',
  blockHeight: 23847111,
  latencyMs: 42,
  checkedAt: '2026-11-22T10:00:15.000Z',
  createdAt: '2026-11-22T10:00:00.000Z',
} as const;

export const node = bodySchema('NodeRecord', 'A node that calls can be sent to.', () => z.object(members()), example);
export const nodePage = pageSchema('NodePage', 'Nodes.', node);

export const administeredNode = bodySchema(
  'AdministeredNode',
  'A node as administrators see it.',
  () =>
    z.object({
      ...members(),
      cordoned: z.boolean().describe('Whether it gets no calls.'),
      ownerId: z.string().describe("The user who registered it: the token's `sub`.").exactOptional(),
    }),
  { ...example, cordoned: false, ownerId: 'user-1' },
);
export const administeredNodePage = pageSchema(
  'AdministeredNodePage',
  'Nodes of users and operators.',
  administeredNode,
);

export const nodePath = { nodeId: { ...networkPath.nodeId, example: exampleNodeId } } as const satisfies Readonly<
  Record<string, PathParameterDoc>
>;

/** A node of the configuration, with what this gateway knows of it. */
export type OperatorNode = {
  readonly nodeId: string;
  readonly dlt: string;
  readonly networkId: string;
  readonly kind: NodeKind;
  readonly providerId?: string;
  readonly url: string;
  readonly health: () => {
    readonly status: NodeStatus;
    readonly blockHeight?: number | undefined;
    readonly latencyMs?: number | undefined;
    readonly checkedAtMs?: number | undefined;
  };
};

type View = BodyOf<typeof node>;

/** `url` in clear text for whoever may see it masked; undefined for others, and when it cannot be decrypted. */
export function nodeView(record: NodeRecord, url: string | undefined): View {
  const { nodeId, dlt, networkId, providerId, label, kind, shared, cordoned, status } = record;
  return {
    ...{ nodeId, dlt, networkId },
    ...(providerId === undefined ? {} : { providerId }),
    ...(label === undefined ? {} : { label }),
    ...{ kind, source: 'user', shared },
    ...(cordoned ? { cordoned } : {}),
    ...(url === undefined ? {} : { url: maskedUrl(url) }),
    ...{ status, ...measured(record), createdAt: isoTime(record.createdAtMs) },
  };
}

export function operatorNodeView(
  node: OperatorNode,
  {
    cordoned,
    startedAtMs,
    showsUrl,
  }: { readonly cordoned: boolean; readonly startedAtMs: number; readonly showsUrl: boolean },
): View {
  const { nodeId, dlt, networkId, providerId, kind } = node;
  const health = node.health();
  return {
    ...{ nodeId, dlt, networkId },
    ...(providerId === undefined ? {} : { providerId }),
    ...{ kind, source: 'operator', shared: true },
    ...(cordoned ? { cordoned } : {}),
    ...(showsUrl ? { url: maskedUrl(node.url) } : {}),
    ...{ status: health.status, ...measured(health), createdAt: isoTime(startedAtMs) },
  };
}

function measured({
  blockHeight,
  latencyMs,
  checkedAtMs,
}: Pick<ReturnType<OperatorNode['health']>, 'blockHeight' | 'latencyMs' | 'checkedAtMs'>) {
  return {
    ...(blockHeight === undefined ? {} : { blockHeight }),
    ...(latencyMs === undefined ? {} : { latencyMs }),
    ...(checkedAtMs === undefined ? {} : { checkedAt: isoTime(checkedAtMs) }),
  };
}
