/** Registers a node: checks the rules, asks the node, and stores it with one atomic write (contract/nodes#registering). */

import type { NewTypeId } from '@flowgate/base/ids';
import { type Ok, ok, type Refused, refused } from '@flowgate/base/result';
import { refusedFor } from '@flowgate/body-schema/body-problems';
import type { BodyOf } from '@flowgate/body-schema/body-schema';
import { readBody } from '@flowgate/body-schema/checked-body';
import { member } from '@flowgate/json/json-object';
import type { EncryptionAtRest } from '@flowgate/sql/encryption-at-rest';
import type { Caller } from '../../api/caller.ts';
import type { RouteRefusal } from '../../api/route.ts';
import type { Actor } from '../../audit/audit-note.ts';
import type { Network, NetworkDirectory } from '../../upstream/networks/network.ts';
import type { AddressDigests, AddressedNode } from './node-address.ts';
import { nodeInput } from './node-input.ts';
import { fitUrl, type NodeRuleDeps, probeRefusal } from './node-rules.ts';
import { type NodeRecord, type NodeStore, nodeUrlContext } from './node-store.ts';
import type { NodeKind } from './node-url.ts';
import { type node, nodeView } from './node-wire.ts';
import type { RegisteredNodes } from './registered-nodes.ts';

export type RegisterNodeDeps = NodeRuleDeps & {
  readonly store: Pick<NodeStore, 'insertIfFree' | 'refusal'>;
  readonly directory: NetworkDirectory;
  readonly registered: Pick<RegisteredNodes, 'figuresOf'>;
  readonly digestsOf: (node: AddressedNode) => AddressDigests;
  readonly encryption: Pick<EncryptionAtRest, 'seal'>;
  /** The maximum number of nodes of this user. */
  readonly maxNodes: (userId: string) => number | Promise<number>;
  /** Applies what was stored here, and notifies other gateways. */
  readonly changed: () => Promise<void>;
  readonly newId: NewTypeId;
  /** Wall time that is never the same twice, because lists are ordered by it. */
  readonly creationTime: () => number;
};

type Input = {
  readonly network: Network;
  readonly kind: NodeKind;
  readonly url: string;
  readonly label?: string | undefined;
};

/** Throws `Unavailable` when the store is unavailable; nothing is stored then. */
export async function registerNode(
  deps: RegisterNodeDeps,
  caller: Caller,
  actor: Actor,
  body: unknown,
): Promise<Ok<BodyOf<typeof node>> | RouteRefusal> {
  const { userId } = caller;
  if (member(body, 'kind') === 'private' && !isAdmin(caller)) return privateRefused;
  const input = parseInput(deps, body);
  if (!input.ok) return input;
  const { network, kind, label } = input.value;
  const fit = fitUrl(input.value.url, kind, deps);
  if (!fit.ok) return fit;
  const { url, providerId } = fit;
  const { dlt, networkId } = network;
  const digests = deps.digestsOf({ dlt, networkId, url });
  const max = await deps.maxNodes(userId);
  // A registration that would be refused anyway does not ask the node.
  const early = await deps.store.refusal(userId, digests, max);
  if (early !== undefined) return conflict(early, max);
  const unfit = await probeRefusal(deps, url, kind, network, userId);
  if (unfit !== undefined) return unfit;

  const nodeId = deps.newId('node');
  const record: NodeRecord = {
    ...{ nodeId, ownerId: userId, dlt, networkId, kind },
    ...(providerId === undefined ? {} : { providerId }),
    ...(label === undefined ? {} : { label }),
    sealedUrl: deps.encryption.seal(url.href, nodeUrlContext(nodeId)),
    addressDigest: digests[0],
    ...{ shared: false, cordoned: false, status: 'pending', isOnOtherChain: false },
    createdAtMs: deps.creationTime(),
  };
  const details = { dlt, networkId, kind, providerId: providerId ?? null };
  const stored = await deps.store.insertIfFree(record, digests, max, {
    actor,
    action: 'node.created',
    target: nodeId,
    details,
  });
  if (stored !== 'stored') return conflict(stored, max);
  await deps.changed();
  return ok(nodeView(record, { url: url.href, figures: deps.registered.figuresOf(nodeId) }));
}

/** For private nodes and sharing: an administrator's access token, never an API key. */
export function isAdmin({ via, roles }: Caller): boolean {
  return via === 'token' && roles.includes('admin');
}

export const privateRefused = refused(
  'not-permitted',
  "A private node needs an administrator's access token: sign in as one, or register a public node.",
);

export function conflict(outcome: 'duplicate' | 'full', max: number): Refused<'conflict'> {
  return refused(
    'conflict',
    outcome === 'duplicate'
      ? 'A node with this address is already registered on this network.'
      : `A user can have at most ${max} nodes; delete one first.`,
  );
}

function parseInput(deps: RegisterNodeDeps, body: unknown): Ok<Input> | RouteRefusal {
  const read = readBody(nodeInput.schema(), body);
  const network = deps.directory.network(String(member(body, 'dlt')), String(member(body, 'networkId')));
  const unknown =
    network === undefined ? [{ message: 'dlt and networkId must name a network of this gateway (GET /networks)' }] : [];
  if (read.problems !== undefined) return refusedFor([...read.problems, ...(isNamed(body) ? unknown : [])]);
  const { url, label, kind = 'public' } = read.value;
  if (network === undefined) {
    const fit = fitUrl(url, kind, deps, unknown);
    return fit.ok ? refusedFor(unknown) : fit;
  }
  return ok({ network, kind, url, label });
}

/** Whether the body names a network, so that the error can say that the network is unknown. */
function isNamed(body: unknown): boolean {
  return typeof member(body, 'dlt') === 'string' && typeof member(body, 'networkId') === 'string';
}
