/**
 * Every refusal is one that docs/reference/errors.md lists for that request, and arrives in time. Only where the test
 * injected a fault may an answer be missing or a connection break.
 */

import { at } from './check-limits.ts';
import type { Violation } from './checker.ts';
import { type Entry, type ErrorBody, type History, type MarkKind, marked, type Operation } from './history.ts';

type Documented = { readonly status: number; readonly error: string };

const rpc = (status: number, code: number, message: string): Documented => ({ status, error: `${code} ${message}` });
const standard = (status: number, label: string): Documented => ({ status, error: label });

/**
 * Written out, not taken from the gateway's error catalog, so that a change there fails here
 * (docs/reference/errors.md).
 */
const everywhere = [standard(429, 'Too many requests'), standard(503, 'Service unavailable')];
const documented: Readonly<Record<Operation, { readonly success: number; readonly refusals: readonly Documented[] }>> =
  {
    call: {
      success: 200,
      refusals: [
        ...everywhere,
        rpc(403, -32001, 'Invalid credentials.'),
        rpc(500, -32002, 'Internal server error.'),
        standard(502, 'Bad gateway'),
      ],
    },
    identify: { success: 200, refusals: everywhere },
    mint: { success: 201, refusals: [...everywhere, standard(409, 'Conflict')] },
    list: { success: 200, refusals: everywhere },
    revoke: { success: 204, refusals: [...everywhere, standard(404, 'Not found')] },
  };

/** Responses of the load balancer itself, in the gateway's error form, while gateways are unavailable. */
const fromBalancer = [502, 503, 504];

export function checkRefusals(history: History): Violation[] {
  return history.entries.flatMap((entry) => {
    const text = entry.outcome === 'answered' ? answerProblem(history, entry) : silenceProblem(history, entry);
    if (text === undefined) return [];
    const where = `${entry.operation} of ${entry.userId} via ${entry.via}, ${at(entry.startMs)}, phase ${entry.phase}`;
    return [{ rule: 'refusal', text: `${where}: ${text}` }];
  });
}

function answerProblem(history: History, entry: Entry): string | undefined {
  const { operation, status, error, retryAfter, servedBy, startMs, endMs } = entry;
  const tookMs = endMs - startMs;
  if (tookMs > history.promised.answerWithinMs && !excused(history, entry))
    return `answered ${status} only after ${at(tookMs)}`;
  const { success, refusals } = documented[operation];
  if (status === success) return error === undefined ? undefined : `a success that reads ${JSON.stringify(error)}`;
  const waits = retryAfter !== undefined && /^[1-9]\d*$/.test(retryAfter);
  if (waits !== (status === 429 || status === 503)) return `status ${status} with Retry-After ${retryAfter}`;
  if (servedBy === undefined)
    return fromBalancer.includes(status ?? 0) && excused(history, entry) ? undefined : `the balancer's own ${status}`;
  if (entry.hasRequestId !== true) return `status ${status} without X-Request-Id`;
  if (refusals.some((each) => each.status === status && each.error === errorText(error))) return undefined;
  return `status ${status} with ${JSON.stringify(error)}`;
}

function errorText(error: ErrorBody | undefined): string {
  if (error === undefined) return '';
  if (error.envelope === 'rpc') return `${error.code} ${error.message}`;
  return error.envelope === 'standard' ? error.label : error.text;
}

function silenceProblem(history: History, entry: Entry): string | undefined {
  return excused(history, entry) ? undefined : `no answer (${entry.outcome}) after ${at(entry.endMs - entry.startMs)}`;
}

/**
 * A dead, paused or slow gateway or balancer may leave a request unanswered. With any other fault the answer must
 * arrive in time.
 */
function excused(history: History, { via, startMs, endMs }: Entry): boolean {
  const faults: MarkKind[] = ['gateway-down', 'gateway-paused', 'gateway-slow'];
  if (history.promised.gateways.includes(via)) return marked(history, faults, startMs, endMs, via);
  return marked(history, [...faults, 'balancer-unavailable'], startMs, endMs);
}
