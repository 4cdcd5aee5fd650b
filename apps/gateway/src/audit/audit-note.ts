/** What the audit log records of a management action: actor, action and target (contract/audit#entries). */

import type { CallerRequest } from '../api/route.ts';

/** The acting user. `system`: the gateway itself, by its configuration or on behalf of the user. */
export type Actor = {
  readonly userId: string;
  readonly via: 'token' | 'key' | 'system';
  readonly requestId: string;
};

/** Every action of the log; contract/audit#actions describes each, and a test compares both lists. */
export const auditActions = [
  'key.created',
  'key.revoked',
  'node.created',
  'node.updated',
  'node.deleted',
  'node.shared',
  'node.unshared',
  'node.cordoned',
  'node.uncordoned',
  'wallet.linked',
  'wallet.unlinked',
  'policy.created',
  'policy.updated',
  'policy.deleted',
  'app.registered',
  'version.published',
  'version.retired',
  'limits.set',
  'limits.removed',
  'maintenance.set',
  'action.undone',
] as const;

export type AuditAction = (typeof auditActions)[number];

export type AuditValue = string | number | boolean | null | readonly string[];

export type AuditNote = {
  readonly actor: Actor;
  readonly action: AuditAction;
  /** The id of the target: a keyId, a nodeId, a user's id. */
  readonly target: string;
  /** Never a secret, nor a URL that may contain one. Long texts and lists are cut. */
  readonly details: Readonly<Record<string, AuditValue>>;
};

export function actorOf({ caller, requestId }: Pick<CallerRequest, 'caller' | 'requestId'>): Actor {
  return { userId: caller.userId, via: caller.via === 'token' ? 'token' : 'key', requestId };
}
