/** The tables of policies. */

import { integer, optional, table, text, textList, timeMs } from '@flowgate/sql/engine/table';
import type { PolicyEffect, ResourceKind } from './policy-store.ts';

export const policiesTable = table('firewall_policies', 'policyId', {
  policyId: text('policy_id'),
  /** Empty for global policies. */
  ownerId: text('owner_id'),
  name: optional(text('name')),
  effect: text<PolicyEffect>('effect'),
  subjects: textList('subjects'),
  resourceKind: text<ResourceKind>('resource_kind'),
  resourceId: text('resource_id'),
  methods: optional(textList('methods')),
  selectors: optional(textList('selectors')),
  createdAtMs: timeMs('created_at'),
  updatedAtMs: timeMs('updated_at'),
  /** The revision of the last write, in the order of all changes of policies. */
  revision: integer('revision'),
});

/** Every user who has or had policies: gateways find here whose policies to load again. */
export const policyOwnersTable = table('firewall_owners', 'ownerId', {
  ownerId: text('owner_id'),
  policies: integer('policies'),
  revision: integer('revision'),
});
