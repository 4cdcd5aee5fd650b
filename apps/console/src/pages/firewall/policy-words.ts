/** Describes policies in plain sentences. */
import type { Policy } from '@flowgate/client';
import { methodGroups } from './policy-draft.ts';

const kinds: Readonly<Record<Policy['resource']['kind'], readonly [string, string]>> = {
  network: ['', 'any network'],
  node: ['the node ', 'any node'],
  contract: ['the contract ', 'any contract'],
  app: ['the Flow App ', 'any Flow App'],
};

/** The display name of a key or node; undefined if unknown. */
export type NameOf = (kind: 'key' | 'node', id: string) => string | undefined;

const noNames: NameOf = () => undefined;

function subjectInWords(subject: string, nameOf: NameOf): string {
  if (subject === '*') return 'everyone';
  const [kind, ...rest] = subject.split(':');
  const id = rest.join(':');
  if (kind === 'key') return `the key ${nameOf('key', id) === undefined ? `fk_${id}` : `“${nameOf('key', id)}”`}`;
  return kind === 'role' ? `users with the role ${id}` : `the user ${id}`;
}

/** Names at most three entries. */
function listed(names: readonly string[], word = 'and'): string {
  const shown = names.length > 3 ? [...names.slice(0, 2), `${names.length - 2} more`] : names;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} ${word} ${shown.at(-1)}`;
}

function resourceInWords({ kind, id }: Policy['resource'], nameOf: NameOf): string {
  const [one, any] = kinds[kind];
  if (id === '*') return any;
  if (id === '') return `the chosen ${kind === 'app' ? 'Flow App' : kind}`;
  if (kind === 'contract' && id.endsWith('/create')) return id.slice(0, -'/create'.length);
  return `${one}${(kind === 'node' ? nameOf('node', id) : undefined) ?? id}`;
}

/** Uses the names of known method groups: "send transactions or call debug_*". */
function callsInWords(names: readonly string[], word: 'and' | 'or'): string | undefined {
  const groups = methodGroups.filter(({ globs }) => globs.every((glob) => names.includes(glob)));
  const grouped = new Set(groups.flatMap(({ globs }) => globs));
  const rest = names.filter((name) => !grouped.has(name));
  const phrases = groups.map(({ title }) => title.charAt(0).toLowerCase() + title.slice(1));
  const all = rest.length === 0 ? phrases : [...phrases, `call ${listed(rest, word)}`];
  return all.length === 0 ? undefined : listed(all, word);
}

export type WordedPolicy = Pick<Policy, 'effect' | 'subjects' | 'resource'> & {
  readonly methods?: readonly string[] | null;
  readonly selectors?: readonly string[] | null;
};

/** "No one may use ethereum/dev." "The key “indexer” may not send transactions on any network." "Only the user bob may use the node n1." */
export function policyInWords(policy: WordedPolicy, nameOf: NameOf = noNames): string {
  const { effect, subjects, resource, methods, selectors } = policy;
  const word = effect === 'deny' ? 'or' : 'and';
  const calls = callsInWords([...(methods ?? []), ...(selectors ?? [])], word);
  const place = resourceInWords(resource, nameOf);
  const creates = resource.kind === 'contract' && resource.id.endsWith('/create');
  const what = calls !== undefined ? `${calls} on ${place}` : creates ? `create contracts on ${place}` : `use ${place}`;
  const names =
    subjects.length === 0 ? 'the chosen keys' : listed(subjects.map((subject) => subjectInWords(subject, nameOf)));
  if (subjects.includes('*')) return effect === 'deny' ? `No one may ${what}.` : `Everyone may ${what}.`;
  if (effect === 'allow') return `Only ${names} may ${what}.`;
  return `${names.charAt(0).toUpperCase()}${names.slice(1)} may not ${what}.`;
}
