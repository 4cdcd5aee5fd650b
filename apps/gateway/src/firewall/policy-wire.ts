/** Policies in responses (contract/firewall#policies). */

import { typeIdForm } from '@flowgate/base/ids';
import { isoTime } from '@flowgate/base/iso-time';
import { time } from '@flowgate/body-schema/body-members';
import { type BodyOf, bodySchema, pageSchema } from '@flowgate/body-schema/body-schema';
import { z } from 'zod';
import type { PathParameterDoc } from '../api/route.ts';
import { type PolicyRecord, policyEffects, resourceKinds, scopeOf } from './policy.ts';

export const examplePolicyId = 'pol_01KAJ0Z6V2M8T4Q9R3WX5Y7ABE';
const exampleTime = '2026-11-22T10:00:00.000Z';

export const policyId = () =>
  z
    .string()
    .regex(typeIdForm('pol'))
    .meta({ description: 'The id of the policy.', examples: [examplePolicyId] });

export const policyPath = {
  policyId: { description: 'The id of the policy.', schema: policyId, example: examplePolicyId },
} as const satisfies Readonly<Record<string, PathParameterDoc>>;

export const policyScope = () => z.enum(['own', 'global']);

export const policy = bodySchema(
  'Policy',
  'A rule about who may, or may not, use a resource.',
  () =>
    z.object({
      policyId: policyId(),
      scope: policyScope().describe("`own`: a user's; `global`: the operator's."),
      name: z.string().describe('A name for display.').exactOptional(),
      effect: z.enum(policyEffects),
      subjects: z.array(z.string()).describe('`*`, `user:<id>`, `key:<keyId>`, `role:<role>`.'),
      resource: z.object({
        kind: z.enum(resourceKinds),
        id: z.string().describe('`*` for all resources of the kind. Addresses have their checksum (EIP-55).'),
      }),
      methods: z.array(z.string()).describe('Globs over the names of methods.').exactOptional(),
      selectors: z.array(z.string()).describe('`0x` and 8 digits, lower case.').exactOptional(),
      createdAt: time('When the policy was created.'),
      updatedAt: time('When the policy was last changed.'),
    }),
  {
    policyId: examplePolicyId,
    scope: 'own',
    effect: 'allow',
    subjects: ['key:Zb3mPq9rTs6vWx2y'],
    resource: { kind: 'network', id: 'ethereum/dev' },
    methods: ['eth_call', 'eth_get*'],
    createdAt: exampleTime,
    updatedAt: exampleTime,
  },
);

export const policyPage = pageSchema('PolicyPage', 'Policies, newest first.', policy);

export function policyView(record: PolicyRecord): BodyOf<typeof policy> {
  const { policyId: id, name, effect, subjects, resource, methods, selectors, createdAtMs, updatedAtMs } = record;
  return {
    policyId: id,
    scope: scopeOf(record),
    ...(name === undefined ? {} : { name }),
    effect,
    subjects,
    resource,
    ...(methods === undefined ? {} : { methods }),
    ...(selectors === undefined ? {} : { selectors }),
    createdAt: isoTime(createdAtMs),
    updatedAt: isoTime(updatedAtMs),
  };
}
