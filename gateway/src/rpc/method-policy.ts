/** Decides whether a method may be called, from a ledger family's lists (contract/json-rpc#blocked-methods). */

/** `no-accounts`: the gateway itself answers `[]`. */
export type MethodVerdict = 'forward' | 'blocked' | 'not-enabled' | 'no-accounts';

export type MethodPolicy = (method: string) => MethodVerdict;

/** A ledger family's rules, as data. In every list `*` stands for any characters, and case does not count. */
export type MethodFamily = {
  /** Names outside this shape are blocked. */
  readonly shape: RegExp;
  /** Longer names are blocked. */
  readonly maxLength: number;
  /** Never forwarded, whatever a network enables. */
  readonly blocked: readonly string[];
  /** Off until a network opts in. */
  readonly heavy: readonly string[];
  /** Methods that match these are blocked unless `heavy` lists them. */
  readonly blockedUnlessHeavy: readonly string[];
  /** The gateway answers these with an empty list. */
  readonly noAccounts: readonly string[];
};

/** Cached verdicts. Clients use some dozens of names; a flood of invented names clears the cache instead of growing it. */
const memoLimit = 1024;

const enablePattern = /^[a-z][a-z0-9]*_[a-z0-9_]*\*?$/i;
const submits = /send|submit|cancel|broadcast|distribute/i;

/** `enable` holds names or patterns such as `trace_*`; they enable heavy methods only. */
export function createMethodPolicy(family: MethodFamily, enable: readonly string[]): MethodPolicy {
  const isBlocked = matcher(family.blocked);
  const isHeavy = matcher(family.heavy);
  const isBlockedUnlessHeavy = matcher(family.blockedUnlessHeavy);
  const isNoAccounts = matcher(family.noAccounts);
  const isEnabled = matcher(enable.filter((pattern) => enableProblem(family, pattern) === undefined));
  const memo = new Map<string, MethodVerdict>();

  const judge = (method: string): MethodVerdict => {
    if (isBlocked(method)) return 'blocked';
    if (isHeavy(method)) return isEnabled(method) ? 'forward' : 'not-enabled';
    if (isBlockedUnlessHeavy(method)) return 'blocked';
    return isNoAccounts(method) ? 'no-accounts' : 'forward';
  };

  return (method) => {
    const known = memo.get(method);
    if (known !== undefined) return known;
    if (method.length > family.maxLength || !family.shape.test(method)) return 'blocked';
    const verdict = judge(method);
    if (memo.size >= memoLimit) memo.clear();
    memo.set(method, verdict);
    return verdict;
  };
}

/** Why a network may not list `pattern` under `methods.enable`, for the configuration check; undefined when it may. */
export function enableProblem(family: MethodFamily, pattern: string): string | undefined {
  if (!enablePattern.test(pattern)) {
    return `"${pattern}" is no method pattern: write a name such as trace_block, or a namespace's beginning such as trace_*`;
  }
  const name = pattern.toLowerCase();
  if (matcher(family.blocked)(name)) return `"${pattern}" is always blocked and cannot be enabled`;
  if (opensHeavy(family, name)) return undefined;
  if (matcher(family.blockedUnlessHeavy)(name)) return `"${pattern}" is always blocked and cannot be enabled`;
  return `"${pattern}" opens nothing: only the heavy families are off until enabled`;
}

/** Whether the lower-case pattern covers at least one of the family's heavy methods. */
function opensHeavy(family: MethodFamily, pattern: string): boolean {
  if (!pattern.endsWith('*')) return matcher(family.heavy)(pattern);
  const prefix = pattern.slice(0, -1);
  return family.heavy.some((entry) => {
    const heavy = entry.toLowerCase().replace('*', '');
    return heavy.startsWith(prefix) || (entry.endsWith('*') && prefix.startsWith(heavy));
  });
}

/**
 * Whether a call may go to a second node after bytes of it were sent to a first one. False for calls that submit something to the network or withdraw it: a repeated
 * submission can act twice, and its second answer ("already known") hides the first.
 */
export function isRepeatable(method: string): boolean {
  return !submits.test(method);
}

/** Entries consist of letters, digits, `_` and `*`. */
function matcher(entries: readonly string[]): (name: string) => boolean {
  if (entries.length === 0) return () => false;
  const alternatives = entries.map((entry) => entry.replaceAll('*', '.*'));
  const pattern = new RegExp(`^(?:${alternatives.join('|')})$`, 'i');
  return (name) => pattern.test(name);
}
