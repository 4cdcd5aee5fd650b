/** Checks a recorded history for violations of the cluster's guarantees, and names each certain one. */

import { checkHeaders } from './check-headers.ts';
import { checkKeys } from './check-keys.ts';
import { checkLimits } from './check-limits.ts';
import { checkRefusals } from './check-refusals.ts';
import { checkRevocations } from './check-revocations.ts';
import type { History } from './history.ts';

export type Rule = 'limit' | 'revocation' | 'keys' | 'refusal' | 'headers';

export type Violation = { readonly rule: Rule; readonly text: string };

/**
 * Empty without violations. Reports only certain violations: those that hold for every possible time of each request's
 * effect between sending and response.
 */
export function check(history: History): Violation[] {
  return [
    ...checkLimits(history),
    ...checkRevocations(history),
    ...checkKeys(history),
    ...checkRefusals(history),
    ...checkHeaders(history),
  ];
}

/** The maximum number of reported violations of each rule. */
const shownPerRule = 8;

export function describeViolations(violations: readonly Violation[]): string[] {
  return [...Map.groupBy(violations, ({ rule }) => rule)].flatMap(([rule, group]) => [
    `${rule}: ${group.length} violations`,
    ...group.slice(0, shownPerRule).map(({ text }) => `  ${text}`),
  ]);
}
