/** Policies in plain words. */
import type { Policy } from '@flowgate/client';

const kinds: Readonly<Record<Policy['resource']['kind'], readonly [string, string]>> = {
  network: ['the network', 'every network'],
  node: ['the node', 'every node'],
  contract: ['the contract', 'every contract'],
  app: ['the Flow App', 'every Flow App'],
};

export function subjectInWords(subject: string): string {
  if (subject === '*') return 'everybody';
  const [kind, ...rest] = subject.split(':');
  const name = rest.join(':');
  if (kind === 'key') return `the key fk_${name}`;
  return kind === 'role' ? `the role ${name}` : `the user ${name}`;
}

/** At most three are named. */
function listed(names: readonly string[]): string {
  const shown = names.length > 3 ? [...names.slice(0, 2), `${names.length - 2} more`] : names;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

export function resourceInWords({ kind, id }: Policy['resource']): string {
  const [one, every] = kinds[kind];
  if (id === '*') return every;
  if (kind === 'contract' && id.endsWith('/create'))
    return `the creation of contracts on ${id.slice(0, -'/create'.length)}`;
  return `${one} ${id}`;
}

/** "Everybody may not use eth_send* on the network ethereum/dev." */
export function policyInWords({
  effect,
  subjects,
  resource,
  methods,
  selectors,
}: Omit<Policy, 'policyId' | 'scope' | 'createdAt' | 'updatedAt'>): string {
  const who = listed(subjects.map(subjectInWords));
  const parts = [...(methods ?? []), ...(selectors ?? [])];
  const what = parts.length === 0 ? resourceInWords(resource) : `${listed(parts)} on ${resourceInWords(resource)}`;
  const may = effect === 'allow' ? 'may use' : 'may not use';
  return `${who.charAt(0).toUpperCase()}${who.slice(1)} ${may} ${what}.`;
}
