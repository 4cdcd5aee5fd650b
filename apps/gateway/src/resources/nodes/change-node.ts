/** Changes a node: the owner changes its label and URL; an administrator shares and cordons it (contract/nodes#changing). */

import { isTypeId } from '@flowgate/base/ids';
import { type Ok, ok, refused } from '@flowgate/base/result';
import { checkedBody } from '@flowgate/body-schema/checked-body';
import type { Caller } from '../../api/caller.ts';
import type { RouteRefusal } from '../../api/route.ts';
import type { Actor, AuditNote } from '../../audit/audit-note.ts';
import { noSuchNode } from './list-nodes.ts';
import { administeredNodePatch, nodePatch } from './node-input.ts';
import { fitUrl, probeRefusal } from './node-rules.ts';
import { type NewNodeUrl, type NodeChange, type NodeRecord, type NodeStore, nodeUrlContext } from './node-store.ts';
import { conflict, isAdmin, privateRefused, type RegisterNodeDeps } from './register-node.ts';

export type ChangeNodeDeps = Omit<RegisterNodeDeps, 'store'> & {
  readonly store: Pick<NodeStore, 'find' | 'change' | 'refusal' | 'cordonOperatorNode'>;
  /** Whether the configuration names this node. */
  readonly isOperatorNode: (nodeId: string) => boolean;
};

const sharingRefused = refused('not-permitted', "Sharing a node needs an administrator's access token.");

/** Throws `Unavailable` when the store is unavailable. */
export async function changeOwnNode(
  deps: ChangeNodeDeps,
  caller: Caller,
  actor: Actor,
  nodeId: string,
  body: unknown,
): Promise<Ok<NodeRecord> | RouteRefusal> {
  const record = isTypeId('node', nodeId) ? await deps.store.find(nodeId) : undefined;
  if (record?.ownerId !== caller.userId) return noSuchNode;
  const patch = checkedBody(nodePatch.schema(), body);
  if (!patch.ok) return patch;
  const { label, url, shared } = patch.value;
  if (shared !== undefined && !isAdmin(caller)) return sharingRefused;
  if (url !== undefined && record.kind === 'private' && !isAdmin(caller)) return privateRefused;
  const renewed = url === undefined ? undefined : await renewUrl(deps, record, url);
  if (renewed !== undefined && !renewed.ok) return renewed;
  const members = [...(label === undefined ? [] : ['label']), ...(renewed === undefined ? [] : ['url'])];
  // An administrator shares one address: a new address needs sharing by an administrator again, also when the node is shared while this runs. So the write of
  // the URL unshares the node.
  const unshares = renewed !== undefined && !isAdmin(caller);
  const change = { label, url: renewed?.value, ...(unshares ? { shared: false } : {}) };
  const steps: Step[] = [
    ...(unshares ? sharingStep(record, false) : []),
    ...(members.length === 0 ? [] : [{ change, action: 'node.updated', details: { members } } as const]),
    ...sharingStep(record, shared),
  ];
  return applySteps(deps, record, actor, steps, caller.userId);
}

/** `undefined` in the answer: a node of the operator. */
export async function changeAnyNode(
  deps: ChangeNodeDeps,
  actor: Actor,
  nodeId: string,
  body: unknown,
): Promise<Ok<NodeRecord | undefined> | RouteRefusal> {
  const isOperators = deps.isOperatorNode(nodeId);
  const record = !isOperators && isTypeId('node', nodeId) ? await deps.store.find(nodeId) : undefined;
  if (record === undefined && !isOperators) return noSuchNode;
  const patch = checkedBody(administeredNodePatch.schema(), body);
  if (!patch.ok) return patch;
  const { shared, cordoned } = patch.value;
  if (record !== undefined)
    return applySteps(
      deps,
      record,
      actor,
      [...sharingStep(record, shared), ...cordonStep(record, cordoned)],
      undefined,
    );
  if (shared === false)
    return refused('bad-request', 'shared must be true, because nodes of the operator are always shared.');
  if (cordoned !== undefined) {
    const action = cordoned ? 'node.cordoned' : 'node.uncordoned';
    await deps.store.cordonOperatorNode(nodeId, cordoned, {
      actor,
      action,
      target: nodeId,
      details: { source: 'operator' },
    });
    await deps.changed();
  }
  return ok(undefined);
}

type Step = {
  readonly change: NodeChange;
  readonly action: AuditNote['action'];
  readonly details: AuditNote['details'];
};

/** Writes and audits only real changes. */
function sharingStep({ shared, dlt, networkId }: NodeRecord, wanted: boolean | undefined): readonly Step[] {
  if (wanted === undefined || wanted === shared) return [];
  return [
    { change: { shared: wanted }, action: wanted ? 'node.shared' : 'node.unshared', details: { dlt, networkId } },
  ];
}

function cordonStep({ cordoned, dlt, networkId }: NodeRecord, wanted: boolean | undefined): readonly Step[] {
  if (wanted === undefined || wanted === cordoned) return [];
  const action = wanted ? 'node.cordoned' : 'node.uncordoned';
  return [{ change: { cordoned: wanted }, action, details: { dlt, networkId } }];
}

/** Writes each action together with its entry in the audit log. */
async function applySteps(
  deps: ChangeNodeDeps,
  { nodeId }: NodeRecord,
  actor: Actor,
  steps: readonly Step[],
  ownerId: string | undefined,
): Promise<Ok<NodeRecord> | RouteRefusal> {
  for (const { change, action, details } of steps) {
    const outcome = await deps.store.change(nodeId, ownerId, change, { actor, action, target: nodeId, details });
    if (outcome === 'absent') return noSuchNode;
    if (outcome === 'duplicate') return conflict('duplicate', 0);
    await deps.changed();
  }
  const stored = await deps.store.find(nodeId);
  return stored === undefined ? noSuchNode : ok(stored);
}

async function renewUrl(
  deps: ChangeNodeDeps,
  record: NodeRecord,
  text: string,
): Promise<Ok<NewNodeUrl> | RouteRefusal> {
  const { nodeId, ownerId, dlt, networkId, kind } = record;
  const fit = fitUrl(text, kind, deps);
  if (!fit.ok) return fit;
  const network = deps.directory.network(dlt, networkId);
  if (network === undefined)
    return refused('conflict', 'The network of this node is no longer configured: delete the node.');
  const { url, providerId } = fit;
  const digests = deps.digestsOf({ dlt, networkId, url });
  if ((await deps.store.refusal(ownerId, digests, Number.MAX_SAFE_INTEGER, nodeId)) === 'duplicate')
    return conflict('duplicate', 0);
  const unfit = await probeRefusal(deps, url, kind, network, ownerId);
  if (unfit !== undefined) return unfit;
  return ok({ sealedUrl: deps.encryption.seal(url.href, nodeUrlContext(nodeId)), digests, providerId });
}
