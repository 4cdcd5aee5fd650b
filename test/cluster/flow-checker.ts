/**
 * Checks a recorded history for violations of the guarantees about Flow sessions, and names each certain one
 * (contract/flow-apps).
 */

import { checkDeliveries } from './check-flow-deliveries.ts';
import { checkFlowLimits } from './check-flow-limits.ts';
import { checkFlowRefusals } from './check-flow-refusals.ts';
import { checkSteps } from './check-flow-steps.ts';
import { checkStreams } from './check-flow-streams.ts';
import type { FlowHistory } from './flow-history.ts';

export type FlowRule = 'response' | 'effect' | 'lost' | 'events' | 'refusal' | 'limit' | 'delivery' | 'stream';

export type FlowViolation = { readonly rule: FlowRule; readonly text: string };

/**
 * Empty without violations. Call it when all requests have ended and every session was audited: what is missing then is
 * lost.
 */
export function checkFlow(history: FlowHistory): string[] {
  const violations = [
    ...checkSteps(history),
    ...checkFlowRefusals(history),
    ...checkFlowLimits(history),
    ...checkDeliveries(history),
    ...checkStreams(history),
  ];
  return violations.map(({ rule, text }) => `${rule}: ${text}`);
}
