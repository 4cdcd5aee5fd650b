/** Decides whether a method may be called, from a ledger family's lists (contract/json-rpc#blocked-methods). */

import { memoized } from '@flowgate/async/bounded-map';
import type { ListedBlocks, ListedReads, MethodFamily } from '@flowgate/chain/families/method-family';

/**
 * `no-accounts`: the gateway itself answers `[]`. `subscription`: needs a WebSocket, and is never forwarded unchanged
 * to a node.
 */
export type MethodVerdict = 'forward' | 'blocked' | 'not-enabled' | 'no-accounts' | 'subscription';

export type MethodPolicy = (method: string) => MethodVerdict;

/** The maximum number of cached verdicts. Clients use a few dozen names. */
const memoLimit = 1024;

/** `enable`: names, or patterns such as `trace_*`. They enable heavy methods only. */
export function createMethodPolicy(family: MethodFamily, enable: readonly string[]): MethodPolicy {
  const isEnabled = matcher(enable.filter((pattern) => enableProblem(family, pattern) === undefined));
  const evaluate = 'allowed' in family ? evaluateByReads(family, isEnabled) : evaluateByBlocks(family, isEnabled);
  const verdictOf = memoized(memoLimit, (method: string) => (family.shape.test(method) ? evaluate(method) : 'blocked'));
  return (method) => (method.length > family.maxLength ? 'blocked' : verdictOf(method));
}

type NameTest = (name: string) => boolean;

function evaluateByBlocks(family: ListedBlocks, isEnabled: NameTest): MethodPolicy {
  const isBlocked = matcher(family.blocked);
  const isHeavy = matcher(family.heavy);
  const isBlockedUnlessHeavy = matcher(family.blockedUnlessHeavy);
  const isNoAccounts = matcher(family.noAccounts);
  const isSubscription = matcher(family.subscriptions);
  return (method) => {
    if (isBlocked(method)) return 'blocked';
    if (isHeavy(method)) return isEnabled(method) ? 'forward' : 'not-enabled';
    if (isBlockedUnlessHeavy(method)) return 'blocked';
    if (isSubscription(method)) return 'subscription';
    return isNoAccounts(method) ? 'no-accounts' : 'forward';
  };
}

function evaluateByReads({ allowed, heavy }: ListedReads, isEnabled: NameTest): MethodPolicy {
  const allowedNames = new Set(allowed);
  const heavyNames = new Set(heavy);
  return (method) => {
    if (allowedNames.has(method)) return 'forward';
    if (!heavyNames.has(method)) return 'blocked';
    return isEnabled(method) ? 'forward' : 'not-enabled';
  };
}

/**
 * The reason why a network may not list `pattern` under `methods.enable`, for the configuration check. Undefined when
 * it may.
 */
export function enableProblem(family: MethodFamily, pattern: string): string | undefined {
  const { enableForm, enableExamples } = family;
  if (!enableForm.test(pattern)) {
    const [name, beginning] = enableExamples;
    return `"${pattern}" is no method pattern: write a name such as ${name}, or the beginning of names such as ${beginning}`;
  }
  const name = pattern.toLowerCase();
  const isBlocked = `"${pattern}" is always blocked and cannot be enabled`;
  if ('blocked' in family && matcher(family.blocked)(name)) return isBlocked;
  if (opensHeavy(family, name)) return undefined;
  if ('blocked' in family && matcher(family.blockedUnlessHeavy)(name)) return isBlocked;
  return `"${pattern}" opens nothing: only the heavy families are off until enabled`;
}

/** Whether the lower-case pattern covers at least one of the family's heavy methods. */
function opensHeavy({ heavy }: MethodFamily, pattern: string): boolean {
  if (!pattern.endsWith('*')) return matcher(heavy)(pattern);
  const prefix = pattern.slice(0, -1);
  return heavy.some((entry) => {
    const beginning = entry.toLowerCase().replace('*', '');
    return beginning.startsWith(prefix) || (entry.endsWith('*') && prefix.startsWith(beginning));
  });
}

/** Entries consist of letters, digits, `_` and `*`. */
function matcher(entries: readonly string[]): (name: string) => boolean {
  if (entries.length === 0) return () => false;
  const alternatives = entries.map((entry) => entry.replaceAll('*', '.*'));
  const pattern = new RegExp(`^(?:${alternatives.join('|')})$`, 'i');
  return (name) => pattern.test(name);
}
