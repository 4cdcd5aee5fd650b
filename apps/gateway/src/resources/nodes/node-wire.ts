/** Registered and operator nodes in responses (contract/nodes#the-node). */

import { isoTime } from '@flowgate/base/iso-time';
import { identifier, plainText, time } from '@flowgate/body-schema/body-members';
import { type BodyOf, bodySchema, pageSchema } from '@flowgate/body-schema/body-schema';
import { z } from 'zod';
import { networkPath } from '../../api/network-path.ts';
import type { PathParameterDoc } from '../../api/route.ts';
import { isPublicWord } from '../../upstream/networks/node-secrets.ts';
import type { NodeFigures } from '../../upstream/routing/node-figures.ts';
import type { NodeRecord, NodeStatus } from './node-store.ts';
import type { NodeKind } from './node-url.ts';

export const exampleNodeId = 'node_01KAJ0Z6V2M8T4Q9R3WX5Y7ABD';

export const nodeLabel = () =>
  plainText(100, { abort: true }).describe('Unicode code points, no control or format characters.');

const count = (description: string) => z.int().min(0).describe(description);
const latency = (share: string) =>
  z
    .number()
    .min(0)
    .describe(`Milliseconds within which ${share} of the answered calls were answered, at most 10 % off.`)
    .exactOptional();

/** On own nodes, and for administrators. */
const figures = () => ({
  circuit: z
    .object({
      state: z
        .enum(['closed', 'open', 'half-open', 'cooling-down'])
        .describe(
          'Its circuit breaker at this gateway. `half-open`: the next read probes it. `cooling-down`: it requested a pause (`Retry-After`).',
        ),
      retryAfterSeconds: z
        .int()
        .min(1)
        .describe('The time until the gateway may call it again; present when `open` or `cooling-down`.')
        .exactOptional(),
    })
    .describe('Present on own nodes and for administrators.')
    .exactOptional(),
  last5Minutes: z
    .object({
      calls: count("Callers' calls that this gateway sent to the node, retries included; a batch counts once."),
      failed: count('The number of these that the circuit breaker counts as failures of the node.'),
      errorRate: z.number().min(0).max(1).describe('`failed` of `calls`; absent without calls.').exactOptional(),
      p50Ms: latency('half'),
      p95Ms: latency('95 %'),
    })
    .describe('Measurements of this gateway; present on own nodes and for administrators.')
    .exactOptional(),
});

const members = () => ({
  nodeId: identifier().describe('The id of the node, unique among all gateways of the installation.'),
  dlt: identifier(),
  networkId: identifier(),
  providerId: identifier().describe('The approved provider of its host.').exactOptional(),
  label: nodeLabel().exactOptional(),
  kind: z.enum(['public', 'private']).describe('`private`: an administrator vouches for its address.'),
  source: z.enum(['user', 'operator']).describe('Whether a user registered it, or the configuration contains it.'),
  shared: z.boolean().describe('Whether all users may call it, and the pool of its network uses it.'),
  cordoned: z
    .boolean()
    .describe('True when an administrator excludes it from calls; otherwise absent.')
    .exactOptional(),
  url: z
    .string()
    .describe('Present on own nodes and for administrators. Path segments that could be a key are shown as `***`.')
    .exactOptional(),
  status: z
    .enum(['pending', 'healthy', 'unhealthy'])
    .describe('`pending` before its first check; `unhealthy` after three consecutive failures, or on another chain.'),
  blockHeight: z.int().min(0).describe('Its newest block at the last successful check.').exactOptional(),
  latencyMs: z.int().min(0).describe('The latency of the last successful check, in milliseconds.').exactOptional(),
  checkedAt: time('When it was last checked.').exactOptional(),
  createdAt: time('When it was registered; for nodes of the operator, when this gateway started.'),
  ...figures(),
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
  circuit: { state: 'closed' },
  last5Minutes: { calls: 1204, failed: 3, errorRate: 0.0025, p50Ms: 38.5, p95Ms: 91.6 },
} as const;

export const node = bodySchema('NodeRecord', 'A node to which calls can be sent.', () => z.object(members()), example);
export const nodePage = pageSchema('NodePage', 'Nodes.', node);

export const administeredNode = bodySchema(
  'AdministeredNode',
  'A node with the details for administrators.',
  () =>
    z.object({
      ...members(),
      cordoned: z.boolean().describe('True while the node receives no calls.'),
      blockHeight: count(
        'Its newest block: for nodes of the operator the latest that this gateway knows, for others at the last successful check.',
      ).exactOptional(),
      lagBlocks: count(
        'For nodes of the operator: how far it was behind the highest head of its network at the last comparison.',
      ).exactOptional(),
      ownerId: z.string().describe('The user who registered it, by the `sub` of the token.').exactOptional(),
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
  /** Undefined when this gateway does not know the node. */
  readonly figures: () => NodeFigures | undefined;
};

type View = BodyOf<typeof node>;

/** What only the owner and administrators see. */
export type PrivateFacts = {
  /** In clear text; undefined when it cannot be decrypted. */
  readonly url: string | undefined;
  /** Undefined when this gateway does not know the node. */
  readonly figures: NodeFigures | undefined;
};

/** Without `facts`, the view of other users. */
export function nodeView(record: NodeRecord, facts: PrivateFacts | undefined): View {
  const { nodeId, dlt, networkId, providerId, label, kind, shared, cordoned, status } = record;
  return {
    ...{ nodeId, dlt, networkId },
    ...(providerId === undefined ? {} : { providerId }),
    ...(label === undefined ? {} : { label }),
    ...{ kind, source: 'user', shared },
    ...(cordoned ? { cordoned } : {}),
    ...(facts?.url === undefined ? {} : { url: maskedUrl(facts.url) }),
    ...{ status, ...measured(record), createdAt: isoTime(record.createdAtMs) },
    ...figuresView(facts?.figures),
  };
}

export function operatorNodeView(
  node: OperatorNode,
  { cordoned, startedAtMs }: { readonly cordoned: boolean; readonly startedAtMs: number },
): View {
  const { nodeId, dlt, networkId, providerId, kind } = node;
  const health = node.health();
  return {
    ...{ nodeId, dlt, networkId },
    ...(providerId === undefined ? {} : { providerId }),
    ...{ kind, source: 'operator', shared: true },
    ...(cordoned ? { cordoned } : {}),
    ...{ status: health.status, ...measured(health), createdAt: isoTime(startedAtMs) },
  };
}

/** What only administrators see of an operator node. */
export function operatorNodeFacts({ url, figures }: OperatorNode) {
  const known = figures();
  const { head, lagBlocks } = known ?? {};
  return {
    url: maskedUrl(url),
    ...(head === undefined ? {} : { blockHeight: head }),
    ...(lagBlocks === undefined ? {} : { lagBlocks }),
    ...figuresView(known),
  };
}

function figuresView(known: NodeFigures | undefined): Pick<View, 'circuit' | 'last5Minutes'> {
  if (known === undefined) return {};
  const { calls, failed, p50Ms, p95Ms, circuit } = known;
  const { state, retryAfterMs } = circuit;
  return {
    circuit: {
      state,
      ...(retryAfterMs === undefined ? {} : { retryAfterSeconds: Math.max(1, Math.ceil(retryAfterMs / 1000)) }),
    },
    last5Minutes: {
      ...{ calls, failed },
      ...(calls === 0 ? {} : { errorRate: Number((failed / calls).toFixed(4)) }),
      ...(p50Ms === undefined ? {} : { p50Ms: rounded(p50Ms) }),
      ...(p95Ms === undefined ? {} : { p95Ms: rounded(p95Ms) }),
    },
  };
}

/** Three digits: more would claim an accuracy that the histogram does not have. */
function rounded(ms: number): number {
  return Number(ms.toPrecision(3));
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

/**
 * A node's URL for its owner and administrators, without possible keys (contract/nodes#visibility-of-urls). Each path segment that is not a common word of
 * node addresses is shown as `***`. User, query and fragment, which only operator nodes may have, are omitted.
 */
export function maskedUrl(text: string): string {
  const { origin, pathname } = new URL(text);
  return origin + pathname.split('/').map(masked).join('/');
}

function masked(segment: string): string {
  return segment === '' || isPublicWord(segment) ? segment : '***';
}
