/** Checks a recorded history for violations of what the cluster promises, and names each one that certainly happened. */

import { checkHeaders } from './check-headers.ts';
import { checkKeys } from './check-keys.ts';
import { checkLimits } from './check-limits.ts';
import { checkRefusals } from './check-refusals.ts';
import { checkRevocations } from './check-revocations.ts';
import type { History } from './history.ts';

export type Rule = 'limit' | 'revocation' | 'keys' | 'refusal' | 'headers';

export type Violation = { readonly rule: Rule; readonly text: string };

/** Empty when there are none. Reports only what is certain, whatever happened in each request's time between sending and answer. */
export function check(history: History): Violation[] {
  return [
    ...checkLimits(history),
    ...checkRevocations(history),
    ...checkKeys(history),
    ...checkRefusals(history),
    ...checkHeaders(history),
  ];
}

/** The most violations of each rule that are reported. */
const shownPerRule = 8;

export function describeViolations(violations: readonly Violation[]): string[] {
  return [...Map.groupBy(violations, ({ rule }) => rule)].flatMap(([rule, group]) => [
    `${rule}: ${group.length} violations`,
    ...group.slice(0, shownPerRule).map(({ text }) => `  ${text}`),
  ]);
}
