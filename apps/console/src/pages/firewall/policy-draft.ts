/** Values and presets of the policy form, and the conversion to a policy. */
import type { Policy, PolicyInput } from '@flowgate/client';

export type Who = 'keys' | 'everyone' | 'users' | 'listed';

/** Text lists have one entry per line. */
export type Draft = {
  readonly preset: string;
  readonly name: string;
  readonly effect: Policy['effect'];
  readonly who: Who;
  /** IDs of the user's own keys. */
  readonly keys: readonly string[];
  readonly users: string;
  /** Subjects in the gateway's format. */
  readonly listed: string;
  readonly kind: Policy['resource']['kind'];
  /** Empty until chosen. */
  readonly id: string;
  /** For networks and nodes: all calls, or calls by group and name. */
  readonly calls: 'all' | 'some';
  readonly groups: readonly string[];
  readonly methods: string;
  readonly selectors: string;
};

export type MethodGroup = { readonly id: string; readonly title: string; readonly globs: readonly string[] };

/** The first group covers every chain family. */
export const methodGroups: readonly MethodGroup[] = [
  { id: 'send', title: 'Send transactions', globs: ['*send*', '*submit*', 'broadcast_*', 'mev_*'] },
  {
    id: 'call',
    title: 'Call contracts',
    globs: ['eth_call', 'eth_estimateGas', 'eth_createAccessList', 'eth_simulateV1'],
  },
  {
    id: 'logs',
    title: 'Read logs',
    globs: ['eth_getLogs', 'eth_newFilter', 'eth_getFilterLogs', 'eth_getFilterChanges'],
  },
  {
    id: 'state',
    title: 'Read blocks and state',
    globs: ['eth_get*', 'eth_blockNumber', 'eth_gasPrice', 'eth_feeHistory'],
  },
  { id: 'trace', title: 'Debug and trace', globs: ['debug_*', 'trace_*', 'arbtrace_*'] },
];

const blank: Omit<Draft, 'preset' | 'kind'> = {
  ...{ name: '', effect: 'deny', who: 'keys', keys: [], users: '', listed: '' },
  ...{ id: '', calls: 'all', groups: [], methods: '', selectors: '' },
};

export type Preset = { readonly title: string; readonly draft: Draft };

const preset = (id: string, title: string, members: Partial<Draft> & Pick<Draft, 'kind'>): Preset => ({
  title,
  draft: { ...blank, ...members, preset: id },
});

/** Presets have no subject, so an unchanged form cannot be submitted. */
export const presetsOf: Readonly<Record<Policy['scope'], readonly Preset[]>> = {
  own: [
    preset('no-sends', 'Stop a key from sending transactions', {
      ...{ kind: 'network', id: '*', calls: 'some', groups: ['send'] },
    }),
    preset('off-network', 'Block a key from a network', { kind: 'network' }),
    preset('off-contract', 'Block a key from a contract', { kind: 'contract' }),
    preset('share-node', 'Share a node with another user', { kind: 'node', effect: 'allow', who: 'users' }),
    preset('share-app', 'Share a private Flow App with another user', { kind: 'app', effect: 'allow', who: 'users' }),
    preset('custom', 'Custom policy', { kind: 'network' }),
  ],
  global: [
    preset('off-network', 'Block a user from a network', { kind: 'network', who: 'users' }),
    preset('no-sends', 'Stop a user from sending transactions', {
      ...{ kind: 'network', id: '*', who: 'users', calls: 'some', groups: ['send'] },
    }),
    preset('custom', 'Custom policy', { kind: 'network', who: 'users' }),
  ],
};

export const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

export function draftOf(policy: Policy): Draft {
  const { name = '', effect, subjects, resource, methods = [], selectors = [] } = policy;
  const groups = methodGroups.filter(({ globs }) => globs.every((glob) => methods.includes(glob)));
  const grouped = new Set(groups.flatMap(({ globs }) => globs));
  return {
    ...blank,
    ...{ preset: 'custom', name, effect, ...whoOf(subjects, policy.scope), kind: resource.kind, id: resource.id },
    calls: methods.length === 0 ? 'all' : 'some',
    groups: groups.map(({ id }) => id),
    methods: methods.filter((method) => !grouped.has(method)).join('\n'),
    selectors: selectors.join('\n'),
  };
}

function whoOf(subjects: readonly string[], scope: Policy['scope']): Partial<Draft> & Pick<Draft, 'who'> {
  const idsOf = (kind: string) => subjects.flatMap((each) => (each.startsWith(kind) ? [each.slice(kind.length)] : []));
  const [keys, users] = [idsOf('key:'), idsOf('user:')];
  if (subjects.length === 1 && subjects[0] === '*') return { who: 'everyone' };
  if (scope === 'own' && keys.length === subjects.length) return { who: 'keys', keys };
  if (users.length === subjects.length) return { who: 'users', users: users.join('\n') };
  return { who: 'listed', listed: subjects.join('\n') };
}

export function subjectsOf({ who, keys, users, listed }: Draft): readonly string[] {
  if (who === 'everyone') return ['*'];
  if (who === 'keys') return keys.map((keyId) => `key:${keyId}`);
  return who === 'users' ? linesOf(users).map((user) => `user:${user}`) : linesOf(listed);
}

function methodsOf({ calls, groups, methods }: Draft): readonly string[] {
  if (calls === 'all') return [];
  const chosen = methodGroups.filter(({ id }) => groups.includes(id)).flatMap(({ globs }) => globs);
  return [...new Set([...chosen, ...linesOf(methods)])];
}

export const hasMethods = ({ kind }: Pick<Draft, 'kind'>): boolean => kind === 'network' || kind === 'node';

export function inputOf(draft: Draft): PolicyInput {
  const { name, effect, kind, id } = draft;
  const [methods, selectors] = [methodsOf(draft), linesOf(draft.selectors)];
  return {
    name: name.trim() === '' ? null : name,
    ...{ effect, subjects: subjectsOf(draft), resource: { kind, id: id.trim() } },
    methods: hasMethods(draft) && methods.length > 0 ? methods : null,
    selectors: kind === 'contract' && selectors.length > 0 ? selectors : null,
  };
}

export type DraftField = 'name' | 'effect' | 'subjects' | 'id' | 'methods' | 'selectors';

const whoIsMissing: Readonly<Record<Who, string>> = {
  keys: 'Choose at least one key.',
  users: 'Enter at least one user.',
  listed: 'Enter at least one subject.',
  everyone: '',
};

/** Missing input, by field. */
export function missingIn(draft: Draft): Partial<Readonly<Record<DraftField, string>>> {
  return {
    ...(subjectsOf(draft).length === 0 && { subjects: whoIsMissing[draft.who] }),
    ...(draft.id.trim() === '' && { id: 'Choose what the policy applies to.' }),
    ...(hasMethods(draft) &&
      draft.calls === 'some' &&
      methodsOf(draft).length === 0 && { methods: 'Choose at least one kind of call.' }),
  };
}

/** True when the policy denies its owner every network, the console included. */
export function deniesEverything(
  { effect, subjects, resource, methods }: Pick<PolicyInput, 'effect' | 'subjects' | 'resource' | 'methods'>,
  userId: string | undefined,
  networks: readonly string[],
): boolean {
  const namesAll = subjects.some((subject) => subject === '*' || subject === `user:${userId}`);
  const isEveryNetwork = resource.id === '*' || (networks.length === 1 && networks[0] === resource.id);
  if (resource.kind !== 'network' || !isEveryNetwork) return false;
  if (effect === 'allow') return !namesAll;
  return namesAll && (methods == null || methods.some((glob) => /^\*+$/.test(glob)));
}
