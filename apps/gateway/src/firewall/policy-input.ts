/** The body of a new or changed policy (contract/firewall#policies). */

import { identifierForm } from '@flowgate/base/identifier';
import { type Ok, ok } from '@flowgate/base/result';
import { listOf, mustBe, optional, plainText } from '@flowgate/body-schema/body-members';
import { type BodyProblem, type BodyRefusal, refusedFor } from '@flowgate/body-schema/body-problems';
import { type BodyOf, bodySchema } from '@flowgate/body-schema/body-schema';
import { readBody } from '@flowgate/body-schema/checked-body';
import { checksumAddress, isEvmAddress } from '@flowgate/chain/evm-address';
import { isJsonObject } from '@flowgate/json/json-object';
import { z } from 'zod';
import { isKeyId } from '../api/credential.ts';
import { maxMethodLength } from './method-glob.ts';
import {
  everything,
  type PolicyResource,
  type PolicyTerms,
  policyEffects,
  type ResourceKind,
  resourceKinds,
} from './policy.ts';
import { subjectOf } from './resource-rules.ts';

/** The maximum of an id in a subject, which is that of a token's `sub`. */
const maxSubjectIdLength = 255;
/** Two names, an address, and slashes. */
const maxResourceIdLength = 192;
/** The maximum of entries in each list of a policy. */
const maxEntries = 100;

const exampleSubjects = ['user:user-1', 'key:Zb3mPq9rTs6vWx2y'];
const list = { min: 1, max: maxEntries, mustBe: 'an array of strings' };

const isName = (text: string) =>
  text.length > 0 && text.length <= maxSubjectIdLength && !/\p{Cc}/u.test(text) && text.isWellFormed();

function isSubject(text: string): boolean {
  if (text === everything) return true;
  const { kind, id } = subjectOf(text);
  if (kind === 'key') return isKeyId(id);
  return (kind === 'user' || kind === 'role') && isName(id);
}

export const subject = () =>
  z
    .string(mustBe('a string'))
    .refine(isSubject, { error: 'must be "*", "user:<id>", "key:<keyId>" or "role:<role>"' })
    .meta({ maxLength: maxSubjectIdLength + 5, examples: exampleSubjects });

/** Characters that no method contains would make a glob that never matches. */
const methodForm = /^[A-Za-z0-9_.*]+$/;

export const methodGlob = () =>
  z
    .string(mustBe('a string'))
    .max(maxMethodLength, { error: `must have at most ${maxMethodLength} characters` })
    .regex(methodForm, {
      error: 'must be the name of a method, of letters, digits, "_" and ".", where "*" matches any characters',
    })
    .meta({ examples: ['eth_call', 'eth_get*'] });

const selectorForm = /^0x[0-9a-fA-F]{8}$/;

export const selector = () =>
  z
    .string(mustBe('a string'))
    .regex(selectorForm, { error: 'must be "0x" and 8 hexadecimal digits' })
    .meta({ examples: ['0xa9059cbb'] });

const resourceDescription =
  '`*` for all resources of the kind; a network: `ethereum/dev`; a node: its nodeId; a contract: `ethereum/dev/0x…`, or `ethereum/dev/create` for the creation of contracts; a Flow App: `publisher/slug`.';

const resourceMembers = () =>
  z.object(
    {
      kind: z.enum(resourceKinds, { error: `must be one of ${resourceKinds.join(', ')}` }),
      id: z
        .string(mustBe('a string'))
        .max(maxResourceIdLength, { error: `must have at most ${maxResourceIdLength} characters` })
        .describe(resourceDescription),
    },
    mustBe('an object with kind and id'),
  );

const termMembers = () => ({
  name: optional(plainText(100, { abort: true })).describe('A name for display.'),
  effect: z.enum(policyEffects, { error: 'must be allow or deny' }),
  subjects: listOf(subject(), list).describe('The callers whom the policy names. Duplicates count once.'),
  resource: resourceMembers(),
  methods: optional(listOf(methodGlob(), list)).describe(
    'For a network or node: its methods; `*` matches any characters, and letter case is ignored. Default: all methods, and reads over REST.',
  ),
  selectors: optional(listOf(selector(), list)).describe('For a contract: its functions. Default: every call.'),
});

const examplePolicy = {
  name: 'Only reads for the dashboard',
  effect: 'allow',
  subjects: [exampleSubjects[1] ?? ''],
  resource: { kind: 'network', id: 'ethereum/dev' },
  methods: ['eth_call', 'eth_get*'],
} as const;

export const policyInput = bodySchema(
  'PolicyInput',
  'The policy. Unknown members are ignored; an optional member that is `null` counts as omitted.',
  () => z.object(termMembers()),
  examplePolicy,
);

export const policyPatch = bodySchema(
  'PolicyPatch',
  'The members to change. `null` removes `name`, `methods` or `selectors`.',
  () => z.object(termMembers()).partial(),
  { subjects: ['*'], methods: null },
);

/** The refusal names every invalid member. */
export function parsePolicyInput(body: unknown): Ok<PolicyTerms> | BodyRefusal {
  const read = readBody(policyInput.schema(), body);
  if (read.problems !== undefined) return refusedFor(read.problems);
  const { value } = read;
  const resource = parseResource(value.resource);
  const problems = [...(typeof resource === 'string' ? [{ message: resource }] : []), ...misplaced(value)];
  if (typeof resource === 'string' || problems.length > 0) return refusedFor(problems);
  const { name, effect, subjects, methods, selectors } = value;
  return ok({
    ...(name === undefined ? {} : { name }),
    effect,
    subjects: [...new Set(subjects)],
    resource,
    ...(methods === undefined ? {} : { methods: [...new Set(methods)] }),
    ...(selectors === undefined ? {} : { selectors: [...new Set(selectors.map((each) => each.toLowerCase()))] }),
  });
}

/** The policy with the members of the patch; the result is checked like a new policy. */
export function parsePolicyPatch(policy: PolicyTerms, patch: unknown): Ok<PolicyTerms> | BodyRefusal {
  if (!isJsonObject(patch)) return parsePolicyInput(patch);
  const { name, effect, subjects, resource, methods, selectors } = policy;
  return parsePolicyInput({ name, effect, subjects, resource, methods, selectors, ...patch });
}

type Terms = BodyOf<typeof policyInput>;

function misplaced({ resource: { kind }, methods, selectors }: Terms): readonly BodyProblem[] {
  const problems: BodyProblem[] = [];
  if (methods !== undefined && kind !== 'network' && kind !== 'node')
    problems.push({ message: 'methods may be given for a network or a node only' });
  if (selectors !== undefined && kind !== 'contract')
    problems.push({ message: 'selectors may be given for a contract only' });
  return problems;
}

const forms: Readonly<Record<ResourceKind, string>> = {
  network: 'resource.id of a network must be "*" or its dlt and networkId, such as ethereum/dev',
  node: 'resource.id of a node must be "*" or its nodeId',
  contract:
    'resource.id of a contract must be "*", or its network and address, such as ethereum/dev/0x… (in mixed case with a right checksum, EIP-55), or ethereum/dev/create',
  app: 'resource.id of an app must be "*" or publisher/slug',
};

/** The resource with its id in canonical form, or what is wrong with it. */
export function parseResource({
  kind,
  id,
}: {
  readonly kind: ResourceKind;
  readonly id: string;
}): PolicyResource | string {
  const spelled = id === everything ? id : spelledId(kind, id);
  return spelled === undefined ? forms[kind] : { kind, id: spelled };
}

const appForm = /^[a-z0-9](?:[a-z0-9.-]{0,62}[a-z0-9])?\/[a-z0-9](?:[a-z0-9.-]{0,62}[a-z0-9])?$/;

function spelledId(kind: ResourceKind, id: string): string | undefined {
  const parts = id.split('/');
  const isNetwork = identifierForm.test(parts[0] ?? '') && identifierForm.test(parts[1] ?? '');
  switch (kind) {
    case 'network':
      return isNetwork && parts.length === 2 ? id : undefined;
    case 'node':
      return identifierForm.test(id) ? id : undefined;
    case 'app':
      return appForm.test(id) ? id : undefined;
    case 'contract': {
      const [dlt, networkId, address = ''] = parts;
      if (!isNetwork || parts.length !== 3) return undefined;
      if (address === 'create') return id;
      return isEvmAddress(address) ? `${dlt}/${networkId}/${checksumAddress(address)}` : undefined;
    }
  }
}
