/**
 * A revoked key fails at once at the gateway that revoked it, and at others within the bound of the available channels
 * (contract/keys#revocation, contract/many-gateways#revocation).
 */

import { percentile } from '../../devkit/src/load/percentiles.ts';
import { at } from './check-limits.ts';
import type { Violation } from './checker.ts';
import { type Entry, type History, identified, marked } from './history.ts';

/**
 * How a revocation could reach the gateway: by pub/sub, only by the poll, or by neither; or the gateway was paused for
 * a time.
 */
export type Condition = 'bus up' | 'bus down' | 'bus and database down' | 'node paused';

/**
 * Milliseconds from the response to the revocation until the last accepted request was sent, at a gateway that did not
 * revoke; 0 when it accepted none afterwards.
 */
export type RevocationDelay = {
  readonly keyId: string;
  readonly node: string;
  readonly delayMs: number;
  readonly boundMs: number;
  readonly condition: Condition;
};

export const ninetyNinthMs = 250;
const pollBoundMs = 5_000;
const hardBoundMs = 60_000;
/** With few samples a 99th percentile is meaningless, so one late sample is allowed: a busy machine may cause it. */
const oneIsNone = 1;

type Revoked = { readonly keyId: string; readonly calls: readonly Entry[]; readonly answers: readonly Entry[] };

function revokedKeys({ entries }: History): Revoked[] {
  const byKey = Map.groupBy(
    entries.filter(({ keyId }) => keyId !== undefined),
    ({ keyId }) => keyId ?? '',
  );
  return [...byKey].flatMap(([keyId, group]) => {
    const answers = group.filter(({ operation, status }) => operation === 'revoke' && status === 204);
    return answers.length === 0
      ? []
      : [{ keyId, answers, calls: group.filter(({ operation }) => operation === 'call') }];
  });
}

export function checkRevocations(history: History): Violation[] {
  const atHome = revokedKeys(history).flatMap(acceptedWhereRevoked);
  const delays = revocationDelays(history);
  const late = delays
    .filter(({ delayMs, boundMs }) => delayMs > boundMs)
    .map(
      ({ keyId, node, delayMs, boundMs, condition }) =>
        `${keyId} was accepted at ${node} ${Math.round(delayMs)} ms after its revocation (${condition}: ${Math.round(boundMs)} ms)`,
    );
  const withBus = delays.filter(({ condition }) => condition === 'bus up');
  const beyond = withBus.filter(({ delayMs }) => delayMs > ninetyNinthMs).length;
  const slow =
    beyond > oneIsNone + withBus.length / 100
      ? [`${beyond} of ${withBus.length} revocations took more than ${ninetyNinthMs} ms with the bus up`]
      : [];
  return [...atHome, ...late, ...slow].map((text) => ({ rule: 'revocation', text }));
}

export function percentileOf(delays: readonly RevocationDelay[], condition: Condition, q: number) {
  const some = delays.filter((delay) => delay.condition === condition).map(({ delayMs }) => delayMs);
  return { samples: some.length, ms: percentile(Float64Array.from(some).sort(), q) };
}

function acceptedWhereRevoked({ keyId, calls, answers }: Revoked): string[] {
  return calls.filter(identified).flatMap((call) => {
    const before = answers.find(({ servedBy, endMs }) => servedBy === call.servedBy && endMs <= call.startMs);
    return before === undefined || call.servedBy === undefined
      ? []
      : [`${keyId} was accepted at ${call.servedBy} ${at(call.startMs - before.endMs)} after its revocation there`];
  });
}

export function revocationDelays(history: History): RevocationDelay[] {
  return revokedKeys(history).flatMap(({ keyId, calls, answers }) => {
    const [first] = answers.toSorted((a, b) => a.endMs - b.endMs);
    if (first === undefined) return [];
    const revokers = new Set(answers.map(({ servedBy }) => servedBy));
    return history.promised.gateways
      .filter((node) => !revokers.has(node))
      .flatMap((node) => {
        const after = calls.filter(({ servedBy, startMs }) => servedBy === node && startMs >= first.endMs);
        if (after.length === 0) return [];
        const lastMs = Math.max(first.endMs, ...after.filter(identified).map(({ startMs }) => startMs));
        return [{ keyId, node, delayMs: lastMs - first.endMs, ...boundOf(history, first, lastMs, node) }];
      });
  });
}

function boundOf(history: History, { startMs, endMs }: Entry, lastMs: number, node: string) {
  const pausedMs = history.marks
    .filter(
      ({ kind, service, fromMs, toMs }) =>
        (kind === 'gateway-paused' || kind === 'gateway-slow') &&
        service === node &&
        fromMs <= lastMs &&
        toMs >= startMs,
    )
    .reduce((sum, { fromMs, toMs }) => sum + Math.min(toMs, lastMs) - Math.max(fromMs, endMs), 0);
  const busDown = marked(history, ['counters-unavailable'], startMs, lastMs);
  const databaseDown = marked(history, ['database-unavailable'], startMs, lastMs);
  const condition: Condition =
    pausedMs > 0 ? 'node paused' : !busDown ? 'bus up' : databaseDown ? 'bus and database down' : 'bus down';
  const boundMs =
    condition === 'bus and database down' ? hardBoundMs : Math.min(hardBoundMs, pollBoundMs + Math.max(0, pausedMs));
  return { condition, boundMs };
}
