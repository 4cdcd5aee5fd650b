/** What a method does with filters that a node keeps for its caller (contract/filters#methods). */

/** `creates`: its result is the node's id of a new filter. `asks`: its first parameter is such an id. */
export type FilterUse = 'creates' | 'asks';

/** Of every namespace: Kaia, Harmony and others have the same filters under names of their own. Some servers do not look at letter case. */
const creates = /^[a-z0-9]+_new[a-z]*filter$/i;
const asks = /^[a-z0-9]+_(?:getfilter[a-z]*|uninstallfilter)$/i;

/** Clients use some dozens of names; a flood of invented ones clears what is kept. */
const mostKept = 512;
const kept = new Map<string, FilterUse | 'none'>();
/** Neighbours in a batch mostly have the same name. */
let lastMethod = '';
let lastUse: FilterUse | undefined;

/** Undefined for all other methods. */
export function filterUseOf(method: string): FilterUse | undefined {
  if (method === lastMethod) return lastUse;
  const known = kept.get(method) ?? judged(method);
  lastMethod = method;
  lastUse = known === 'none' ? undefined : known;
  return lastUse;
}

function judged(method: string): FilterUse | 'none' {
  const use = creates.test(method) ? 'creates' : asks.test(method) ? 'asks' : 'none';
  if (kept.size >= mostKept) kept.clear();
  kept.set(method, use);
  return use;
}
