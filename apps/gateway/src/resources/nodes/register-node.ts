/** Registers a node: its rules, its own answer, and one atomic write (contract/nodes#registering). */

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
import { fitUrl, type NodeRuleParts, probeRefusal } from './node-rules.ts';
import { type NodeRecord, type NodeStore, nodeUrlContext } from './node-store.ts';
import type { NodeKind } from './node-url.ts';
import { type node, nodeView } from './node-wire.ts';
import type { RegisteredNodes } from './registered-nodes.ts';

export type RegisterNodeParts = NodeRuleParts & {
  readonly store: Pick<NodeStore, 'insertIfFree' | 'refusal'>;
  readonly directory: NetworkDirectory;
  readonly registered: Pick<RegisteredNodes, 'figuresOf'>;
  readonly digestsOf: (node: AddressedNode) => AddressDigests;
  readonly encryption: Pick<EncryptionAtRest, 'seal'>;
  /** How many nodes this user may have. */
  readonly mostNodes: (userId: string) => number | Promise<number>;
  /** What was stored is in force here, and others are told. */
  readonly changed: () => Promise<void>;
  readonly newId: NewTypeId;
  /** Wall time that is never the same twice: lists are ordered by it. */
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
  parts: RegisterNodeParts,
  caller: Caller,
  actor: Actor,
  body: unknown,
): Promise<Ok<BodyOf<typeof node>> | RouteRefusal> {
  const { userId } = caller;
  if (member(body, 'kind') === 'private' && !isAdmin(caller)) return privateRefused;
  const input = parseInput(parts, body);
  if (!input.ok) return input;
  const { network, kind, label } = input.value;
  const fit = fitUrl(input.value.url, kind, parts);
  if (!fit.ok) return fit;
  const { url, providerId } = fit;
  const { dlt, networkId } = network;
  const digests = parts.digestsOf({ dlt, networkId, url });
  const most = await parts.mostNodes(userId);
  // What would be refused anyway costs the node no question.
  const early = await parts.store.refusal(userId, digests, most);
  if (early !== undefined) return conflict(early, most);
  const unfit = await probeRefusal(parts, url, kind, network, userId);
  if (unfit !== undefined) return unfit;

  const nodeId = parts.newId('node');
  const record: NodeRecord = {
    ...{ nodeId, ownerId: userId, dlt, networkId, kind },
    ...(providerId === undefined ? {} : { providerId }),
    ...(label === undefined ? {} : { label }),
    sealedUrl: parts.encryption.seal(url.href, nodeUrlContext(nodeId)),
    addressDigest: digests[0],
    ...{ shared: false, cordoned: false, status: 'pending', isOnOtherChain: false },
    createdAtMs: parts.creationTime(),
  };
  const details = { dlt, networkId, kind, providerId: providerId ?? null };
  const stored = await parts.store.insertIfFree(record, digests, most, {
    actor,
    action: 'node.created',
    target: nodeId,
    details,
  });
  if (stored !== 'stored') return conflict(stored, most);
  await parts.changed();
  return ok(nodeView(record, { url: url.href, figures: parts.registered.figuresOf(nodeId) }));
}

/** Private nodes, sharing: an administrator's access token, never an API key. */
export function isAdmin({ via, roles }: Caller): boolean {
  return via === 'token' && roles.includes('admin');
}

export const privateRefused = refused(
  'not-permitted',
  "A private node needs an administrator's access token: sign in as one, or register a public node.",
);

export function conflict(outcome: 'duplicate' | 'full', most: number): Refused<'conflict'> {
  return refused(
    'conflict',
    outcome === 'duplicate'
      ? 'A node with this address is registered on this network already.'
      : `A user can have at most ${most} nodes; delete one first.`,
  );
}

function parseInput(parts: RegisterNodeParts, body: unknown): Ok<Input> | RouteRefusal {
  const read = readBody(nodeInput.schema(), body);
  const network = parts.directory.network(String(member(body, 'dlt')), String(member(body, 'networkId')));
  const unknown =
    network === undefined ? [{ message: 'dlt and networkId must name a network of this gateway (GET /networks)' }] : [];
  if (read.problems !== undefined) return refusedFor([...read.problems, ...(isNamed(body) ? unknown : [])]);
  const { url, label, kind = 'public' } = read.value;
  if (network === undefined) {
    const fit = fitUrl(url, kind, parts, unknown);
    return fit.ok ? refusedFor(unknown) : fit;
  }
  return ok({ network, kind, url, label });
}

/** Whether both names of the network are there, so that they can be said to name none. */
function isNamed(body: unknown): boolean {
  return typeof member(body, 'dlt') === 'string' && typeof member(body, 'networkId') === 'string';
}
