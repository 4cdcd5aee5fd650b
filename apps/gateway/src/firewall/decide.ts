/** Decides by the policies of up to three scopes: global, the caller's own, and the owner's of the node or app (contract/firewall#decision). */

import { globalOwner, type PolicyRecord, type ResourceKind } from './policy.ts';
import type { PolicyIndex } from './policy-index.ts';
import type { AskingCaller, ResourceRules } from './resource-rules.ts';
import { type Asked, earlier } from './rule-matcher.ts';

/** The resource to use. `key`: its id in the form of `resourceKey`. */
export type AskedResource = {
  readonly kind: ResourceKind;
  readonly key: string;
  /** The owner of the node or app; absent for an operator's. */
  readonly ownerId?: string | undefined;
};

/** The policies of the scopes that decide; absent for a scope without policies. */
export type Scopes = {
  readonly global: PolicyIndex | undefined;
  readonly own: PolicyIndex | undefined;
  /** The owner's, unless the caller is the owner. */
  readonly owner: PolicyIndex | undefined;
};

export type Decision = {
  readonly allowed: boolean;
  /**
   * The deny that refuses. If the resource has allows in a scope and none of them matches: the first of them. If it is allowed: the allow of the last scope
   * that has any. Absent when no policy is about the resource.
   */
  readonly decidedBy?: PolicyRecord;
};

const allowed: Decision = { allowed: true };

/** Whether the caller may use the resource. The scopes are evaluated in order, and the first that refuses decides. */
export function decide(scopes: Scopes, caller: AskingCaller, resource: AskedResource, asked: Asked): Decision {
  const byGlobal = decideIn(scopes.global, caller, resource, asked, 'global');
  if (!byGlobal.allowed) return byGlobal;
  const byOwn = decideIn(scopes.own, caller, resource, asked, 'own');
  if (!byOwn.allowed) return byOwn;
  const byOwner = hasOwnerScope(resource, caller) ? decideIn(scopes.owner, caller, resource, asked, 'owner') : allowed;
  if (byOwner.decidedBy !== undefined) return byOwner;
  return byOwn.decidedBy === undefined ? byGlobal : byOwn;
}

/** The policies of the owner of a node or app also decide. The owner's own calls are decided in the caller's scope only. */
export function hasOwnerScope({ kind, ownerId }: AskedResource, { userId }: Pick<AskingCaller, 'userId'>): boolean {
  return (kind === 'node' || kind === 'app') && ownerId !== undefined && ownerId !== userId && ownerId !== globalOwner;
}

type ScopeName = 'global' | 'own' | 'owner';

function decideIn(
  index: PolicyIndex | undefined,
  caller: AskingCaller,
  resource: AskedResource,
  asked: Asked,
  scope: ScopeName,
): Decision {
  if (index === undefined) return allowed;
  const one = index.about(resource.kind, resource.key);
  const all = index.aboutAll(resource.kind);
  if (one === undefined && all === undefined) return allowed;
  const denied = earlier(one?.first('deny', caller, asked), all?.first('deny', caller, asked));
  if (denied !== undefined) return { allowed: false, decidedBy: denied };
  const required = earlier(
    one?.firstAllow(countedOne(scope, resource, caller)),
    all?.firstAllow(countedAll(scope, resource)),
  );
  if (required === undefined) return allowed;
  const permitting = earlier(one?.first('allow', caller, asked), all?.first('allow', caller, asked));
  return permitting === undefined ? { allowed: false, decidedBy: required } : { allowed: true, decidedBy: permitting };
}

type Counted = Parameters<ResourceRules['firstAllow']>[0];

/** Sharing an own node or app does not lock out its owner: in the caller's own scope, allows on it that name only others do not count. */
function countedOne(scope: ScopeName, { kind, ownerId }: AskedResource, { userId }: AskingCaller): Counted {
  const isOwn = scope === 'own' && (kind === 'node' || kind === 'app') && ownerId === userId;
  return isOwn ? 'naming-the-owner' : 'any';
}

/** `*` shares all own nodes or apps, so the same rule applies to it. */
function countedAll(scope: ScopeName, { kind }: AskedResource): Counted {
  return scope === 'own' && (kind === 'node' || kind === 'app') ? 'naming-the-owner' : 'any';
}

/** Whether an allow of the owner names the caller, who then sees the resource (contract/firewall#sharing). */
export function isNamedIn(
  index: PolicyIndex | undefined,
  caller: AskingCaller,
  { kind, key }: Pick<AskedResource, 'kind' | 'key'>,
): boolean {
  if (index === undefined) return false;
  return index.about(kind, key)?.names(caller) === true || index.aboutAll(kind)?.names(caller) === true;
}

/** The number of policies about the resource in these policies. */
export function countAbout(index: PolicyIndex | undefined, { kind, key }: Pick<AskedResource, 'kind' | 'key'>): number {
  return (index?.about(kind, key)?.size ?? 0) + (index?.aboutAll(kind)?.size ?? 0);
}
