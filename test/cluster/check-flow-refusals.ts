/**
 * Every refusal of a submission is a ProblemDetails that docs/reference/errors.md lists for it. Only where the test
 * injected a fault may an answer be missing or a connection break.
 */

import { at } from './check-limits.ts';
import type { FlowViolation } from './flow-checker.ts';
import type { FlowHistory, Submission } from './flow-history.ts';
import { marked } from './history.ts';

/**
 * Written out, not taken from the gateway's error catalog, so that a change there fails here
 * (docs/reference/errors.md).
 */
const documented = [
  '409 urn:svc:error:conflict retryable',
  '409 urn:svc:error:conflict',
  '429 urn:svc:error:too-many-requests retryable',
  '503 urn:svc:error:service-unavailable retryable',
];
/** The response of a gateway that was paused while its app answered. */
const afterAPause = '502 urn:svc:error:bad-gateway retryable';

export function checkFlowRefusals(history: FlowHistory): FlowViolation[] {
  return history.submissions.flatMap((entry) => {
    const text = problemOf(history, entry);
    if (text === undefined) return [];
    const { idempotencyKey, sessionId, via, startMs, endMs, phase } = entry;
    const where = `${idempotencyKey} of ${sessionId} via ${via}, ${at(startMs)}, after ${at(endMs - startMs)}, phase ${phase}`;
    return [{ rule: 'refusal', text: `${where}: ${text}` }];
  });
}

function problemOf(history: FlowHistory, entry: Submission): string | undefined {
  const { outcome, status, problem, text, retryAfter, startMs, endMs, via } = entry;
  const paused = marked(history, ['gateway-paused'], startMs, endMs, via);
  if (outcome !== 'answered')
    return paused || marked(history, ['gateway-down'], startMs, endMs, via) ? undefined : `no answer (${outcome})`;
  if (status === 200) return undefined;
  if (problem === undefined || problem.status !== status) return `status ${status} with ${text}`;
  const waits = retryAfter !== undefined && retryAfter !== null && /^[1-9]\d*$/.test(retryAfter);
  if (waits !== (status === 429 || status === 503)) return `status ${status} with Retry-After ${retryAfter}`;
  const reported = `${status} ${problem.type}${problem.retryable ? ' retryable' : ''}`;
  return documented.includes(reported) || (paused && reported === afterAPause) ? undefined : `refused with ${text}`;
}
