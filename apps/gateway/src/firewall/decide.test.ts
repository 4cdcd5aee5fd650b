/** Compares the indexed decision with one that evaluates the contract's sentences in order (contract/firewall#decision). */

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { type AskedResource, countAbout, decide, isNamedIn } from './decide.ts';
import { globalOwner, type PolicyRecord, resourceKey } from './policy.ts';
import { PolicyIndex } from './policy-index.ts';
import type { AskingCaller } from './resource-rules.ts';
import type { Asked } from './rule-matcher.ts';

const keysOf: Readonly<Record<string, readonly string[]>> = { ann: ['k-ann', 'k-ann-2'], bob: ['k-bob'] };

/** A glob by its definition: every way to match the stars. */
function matchesGlob(glob: string, name: string): boolean {
  if (glob === '') return name === '';
  if (glob[0] === '*')
    return Array.from({ length: name.length + 1 }, (_, at) => at).some((at) =>
      matchesGlob(glob.slice(1), name.slice(at)),
    );
  return name !== '' && glob[0] === name[0] && matchesGlob(glob.slice(1), name.slice(1));
}

const isAbout = ({ resource }: PolicyRecord, { kind, key }: AskedResource) =>
  resource.kind === kind && (resource.id === '*' || resource.id.toLowerCase() === key.toLowerCase());

const namesCaller = ({ subjects }: PolicyRecord, { userId, keyId, roles }: AskingCaller) =>
  subjects.some((subject) =>
    ['*', `user:${userId}`, `key:${keyId}`, ...roles.map((role) => `role:${role}`)].includes(subject),
  );

function covers({ effect, methods, selectors }: PolicyRecord, { method, selector, paddedSelector }: Asked): boolean {
  if (methods !== undefined)
    return method === undefined
      ? effect === 'allow'
      : methods.some((glob) => matchesGlob(glob.toLowerCase(), method.toLowerCase()));
  if (selectors === undefined) return true;
  const read = effect === 'deny' ? (paddedSelector ?? selector) : selector;
  return read !== undefined && selectors.includes(read);
}

const matches = (policy: PolicyRecord, caller: AskingCaller, asked: Asked) =>
  namesCaller(policy, caller) && covers(policy, asked);

/** Whether the policy names its owner, or a subject that may be the owner. */
const namesOwner = ({ subjects, ownerId }: PolicyRecord) =>
  subjects.some((subject) =>
    ['*', `user:${ownerId}`, ...(keysOf[ownerId] ?? []).map((key) => `key:${key}`)].includes(subject),
  );

/** The contract's rules, sentence by sentence. */
function reference(
  policies: readonly PolicyRecord[],
  caller: AskingCaller,
  resource: AskedResource,
  asked: Asked,
): boolean {
  const ownable = resource.kind === 'node' || resource.kind === 'app';
  const owner = ownable && resource.ownerId !== caller.userId ? resource.ownerId : undefined;
  for (const scope of [globalOwner, caller.userId, owner]) {
    if (scope === undefined) continue;
    const about = policies.filter((policy) => policy.ownerId === scope && isAbout(policy, resource));
    if (about.some((policy) => policy.effect === 'deny' && matches(policy, caller, asked))) return false;
    const allows = about.filter(({ effect }) => effect === 'allow');
    const counted = allows.filter((policy) => {
      const isOnOwn = resource.ownerId === caller.userId || policy.resource.id === '*';
      return !(scope === caller.userId && ownable && isOnOwn && !namesOwner(policy));
    });
    if (counted.length > 0 && !allows.some((policy) => matches(policy, caller, asked))) return false;
  }
  return true;
}

const users = fc.constantFrom('ann', 'bob', 'cem');
const address = '0x00000000000000000000000000000000000000Ab';
const resources: readonly AskedResource[] = [
  { kind: 'network', key: 'ethereum/dev' },
  { kind: 'network', key: 'ethereum/main' },
  { kind: 'node', key: 'operator-1' },
  { kind: 'node', key: 'node_ann', ownerId: 'ann' },
  { kind: 'node', key: 'node_bob', ownerId: 'bob' },
  { kind: 'app', key: 'acme/embedded' },
  { kind: 'app', key: 'ann/app', ownerId: 'ann' },
  { kind: 'contract', key: `ethereum/dev/${address.toLowerCase()}` },
  { kind: 'contract', key: 'ethereum/dev/create' },
];
const idOf = ({ kind, key }: AskedResource) =>
  kind === 'contract' ? key.replace(address.toLowerCase(), address) : key;

const someResource = fc.constantFrom(...resources);
const globs = fc.constantFrom('eth_call', 'ETH_Call', 'eth_*', '*', '*_call', 'e*h*l', '**', 'eth_get*e*', 'net_*');
const methods = fc.constantFrom('eth_call', 'Eth_CALL', 'eth_getBalance', 'eth_getBlockByHash', 'net_version');
const selectors = fc.constantFrom('0xa9059cbb', '0x12345600', '0x00000000');

const policy: fc.Arbitrary<PolicyRecord> = fc
  .record({
    number: fc.nat(9_999),
    ownerId: fc.constantFrom(globalOwner, globalOwner, 'ann', 'bob', 'cem'),
    effect: fc.constantFrom('allow' as const, 'deny' as const),
    subjects: fc.array(
      fc.constantFrom(
        '*',
        'user:ann',
        'user:bob',
        'user:cem',
        'key:k-ann',
        'key:k-ann-2',
        'key:k-bob',
        'role:admin',
        'role:a:b',
      ),
      { minLength: 1, maxLength: 3 },
    ),
    resource: someResource,
    isForAll: fc.boolean(),
    methods: fc.option(fc.array(globs, { minLength: 1, maxLength: 3 }), { nil: undefined }),
    selectors: fc.option(fc.array(selectors, { minLength: 1, maxLength: 2 }), { nil: undefined }),
  })
  .map(({ number, ownerId, effect, subjects, resource, isForAll, methods: named, selectors: listed }) => ({
    policyId: `pol_${String(number).padStart(4, '0')}`,
    ownerId,
    effect,
    subjects,
    resource: { kind: resource.kind, id: isForAll ? '*' : idOf(resource) },
    ...(named !== undefined && (resource.kind === 'network' || resource.kind === 'node') ? { methods: named } : {}),
    ...(listed !== undefined && resource.kind === 'contract' ? { selectors: listed } : {}),
    createdAtMs: 0,
    updatedAtMs: 0,
  }));

const callers: fc.Arbitrary<AskingCaller> = fc.oneof(
  fc.record({ userId: users, roles: fc.subarray(['admin', 'a:b']) }),
  fc.constantFrom(
    ...Object.entries(keysOf).flatMap(([userId, keys]) => keys.map((keyId) => ({ userId, keyId, roles: [] }))),
  ),
);

const data: fc.Arbitrary<Asked> = fc.oneof(
  fc.constant({}),
  selectors.map((selector) => ({ selector, paddedSelector: selector })),
  fc.constantFrom({ paddedSelector: '0x12345600' }, { paddedSelector: '0x00000000' }),
);
const askedOf = (resource: AskedResource) =>
  resource.kind === 'contract'
    ? data
    : resource.kind === 'app'
      ? fc.constant({})
      : fc.oneof(
          fc.constant({}),
          methods.map((method) => ({ method })),
        );
const question = fc
  .record({ caller: callers, resource: someResource })
  .chain(({ caller, resource }) => askedOf(resource).map((asked) => ({ caller, resource, asked })));

const distinct = (policies: readonly PolicyRecord[]) => [
  ...new Map(policies.map((each) => [each.policyId, each])).values(),
];
const indexOf = (policies: readonly PolicyRecord[], ownerId: string) => {
  const own = policies.filter((each) => each.ownerId === ownerId);
  return own.length === 0 ? undefined : new PolicyIndex(own, namesOwner);
};

/** The scopes that the firewall would build. */
const scopesOf = (policies: readonly PolicyRecord[], caller: AskingCaller, resource: AskedResource) => ({
  global: indexOf(policies, globalOwner),
  own: indexOf(policies, caller.userId),
  owner: resource.ownerId === undefined ? undefined : indexOf(policies, resource.ownerId),
});

test('the indexed decision equals the decision by the text of the contract', () => {
  fc.assert(
    fc.property(
      fc.array(policy, { maxLength: 12 }),
      fc.array(question, { minLength: 1, maxLength: 8 }),
      (made, questions) => {
        const policies = distinct(made);
        for (const { caller, resource, asked } of questions) {
          const decision = decide(scopesOf(policies, caller, resource), caller, resource, asked);
          expect(decision.allowed).toBe(reference(policies, caller, resource, asked));
        }
      },
    ),
    { numRuns: 3_000 },
  );
});

test('the deciding policy is about the resource, and without it the decision changes', () => {
  fc.assert(
    fc.property(fc.array(policy, { maxLength: 10 }), question, (made, { caller, resource, asked }) => {
      const policies = distinct(made);
      const { allowed, decidedBy } = decide(scopesOf(policies, caller, resource), caller, resource, asked);
      if (decidedBy === undefined) return expect(allowed).toBe(true);
      expect(isAbout(decidedBy, resource)).toBe(true);
      const isMatch = matches(decidedBy, caller, asked);
      if (decidedBy.effect === 'deny') return expect([allowed, isMatch]).toEqual([false, true]);
      return expect(isMatch).toBe(allowed);
    }),
    { numRuns: 1_000 },
  );
});

test('an index with added, changed and removed policies decides like a new one', () => {
  const step = fc.record({ policy, remove: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), question, (steps, { caller, resource, asked }) => {
      const changed = new PolicyIndex();
      const current = new Map<string, PolicyRecord>();
      for (const { policy: each, remove } of steps) {
        if (remove) changed.delete(each.policyId);
        else changed.set(each);
        if (remove) current.delete(each.policyId);
        else current.set(each.policyId, each);
        // Evaluated between the changes, so that lists are sorted between them, too.
        decide({ global: changed, own: undefined, owner: undefined }, caller, resource, asked);
      }
      const fresh = new PolicyIndex(current.values());
      const by = (global: PolicyIndex) => decide({ global, own: undefined, owner: undefined }, caller, resource, asked);
      expect(by(changed)).toEqual(by(fresh));
      expect([changed.size, countAbout(changed, resource)]).toEqual([current.size, countAbout(fresh, resource)]);
    }),
    { numRuns: 500 },
  );
});

test("a caller whom an owner's allow names, by any kind of subject, sees the node or app (contract/firewall#sharing)", () => {
  fc.assert(
    fc.property(fc.array(policy, { maxLength: 6 }), question, (made, { caller, resource }) => {
      const policies = distinct(made).filter(({ ownerId }) => ownerId === 'ann');
      const named = policies.some(
        (each) => each.effect === 'allow' && isAbout(each, resource) && namesCaller(each, caller),
      );
      expect(isNamedIn(new PolicyIndex(policies), caller, resource)).toBe(named);
    }),
    { numRuns: 500 },
  );
});

const nth = (n: number, terms: Partial<PolicyRecord>): PolicyRecord => ({
  policyId: `pol_${n}`,
  ownerId: 'ann',
  effect: 'allow',
  subjects: ['*'],
  resource: { kind: 'node', id: 'node_ann' },
  createdAtMs: 0,
  updatedAtMs: 0,
  ...terms,
});

test('a shared node stays open to its owner, and rules that name the owner apply to the owner, too (contract/firewall#sharing)', () => {
  const mine: AskedResource = { kind: 'node', key: 'node_ann', ownerId: 'ann' };
  const of = (...policies: PolicyRecord[]) => new PolicyIndex(policies, namesOwner);
  const asks = (index: PolicyIndex, caller: AskingCaller, method?: string) =>
    decide(
      caller.userId === 'ann'
        ? { global: undefined, own: index, owner: undefined }
        : { global: undefined, own: undefined, owner: index },
      caller,
      mine,
      { method },
    ).allowed;
  const ann = { userId: 'ann', roles: [] };
  const bob = { userId: 'bob', roles: [] };
  const shared = of(nth(1, { subjects: ['user:bob'] }));
  expect([asks(shared, ann), asks(shared, bob), asks(shared, { userId: 'cem', roles: [] })]).toEqual([
    true,
    true,
    false,
  ]);
  const sharedAll = of(nth(1, { subjects: ['user:bob'], resource: { kind: 'node', id: '*' } }));
  expect([asks(sharedAll, ann), asks(sharedAll, bob)]).toEqual([true, true]);
  const readers = of(nth(1, { methods: ['eth_get*'] }));
  expect([asks(readers, ann, 'eth_getCode'), asks(readers, ann, 'eth_call'), asks(readers, bob, 'eth_call')]).toEqual([
    true,
    false,
    false,
  ]);
  const oneKey = of(nth(1, { subjects: ['key:k-ann'] }));
  expect(['k-ann', 'k-ann-2'].map((keyId) => asks(oneKey, { ...ann, keyId }))).toEqual([true, false]);
});

test('a decision costs the same look-ups with 10 policies and with 10,000, in any order (contract/firewall#decision)', () => {
  const counted = (n: number) => {
    let looked = 0;
    const index = new PolicyIndex(
      Array.from({ length: n }, (_, at) =>
        nth(at, { effect: 'deny', subjects: [`user:u${at}`], resource: { kind: 'network', id: '*' } }),
      ),
    );
    const caller = {
      get userId() {
        looked++;
        return 'ann';
      },
      roles: [],
    };
    expect(
      decide(
        { global: index, own: undefined, owner: undefined },
        caller,
        { kind: 'network', key: 'a/b' },
        { method: 'eth_call' },
      ).allowed,
    ).toBe(true);
    return looked;
  };
  expect([counted(100), counted(1_000), counted(10_000)]).toEqual([counted(10), counted(10), counted(10)]);
});

test('the address of a contract is compared without letter case, the other segments of its id with letter case', () => {
  expect(resourceKey({ kind: 'contract', id: `ethereum/Dev/${address}` })).toBe(
    `ethereum/Dev/${address.toLowerCase()}`,
  );
  expect(resourceKey({ kind: 'contract', id: '*' })).toBe('*');
  expect(resourceKey({ kind: 'network', id: 'Ethereum/Dev' })).toBe('Ethereum/Dev');
});
