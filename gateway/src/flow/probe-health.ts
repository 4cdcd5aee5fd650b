/** Asks every active version again and again whether it is well, so that nothing new is started on one that is not (decisions 8). */

import { pause } from '../platform/claims/pause.ts';
import type { Clock } from '../platform/clock.ts';
import type { OpenFlowApp } from './flow-app.ts';
import type { RegistryStore } from './registry-store.ts';
import { embeddedBaseUrl, unhealthyFromMisses, type VersionRecord } from './version.ts';

export type ProbeParts = {
  readonly store: Pick<RegistryStore, 'probeBatch' | 'noteHealth'>;
  readonly openFlowApp: OpenFlowApp;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** From the begin of one round to the next; 30,000 unless told. A round that takes longer is followed at once. */
  readonly intervalMs?: number;
  /** A version crossed the line, one way or the other. */
  readonly onChange: (version: VersionRecord, healthy: boolean) => void;
};

const probesAtOnce = 16;
const batchSize = 100;

/**
 * The work of `runWhileLeader`: ends when `signal` is aborted, throws `Unavailable` when the store is away. Its notes are not fenced: a leader of before could count one
 * miss twice, which the next success takes back.
 */
export async function probeHealth(parts: ProbeParts, signal: AbortSignal): Promise<void> {
  const { clock, intervalMs = 30_000 } = parts;
  while (!signal.aborted) {
    const startedAtMs = clock.monotonic();
    await probeAll(parts, signal);
    await pause(Math.max(0, startedAtMs + intervalMs - clock.monotonic()), signal);
  }
}

/** Workers that share one walk through the versions: one that does not answer holds up a sixteenth of the round. */
async function probeAll(parts: ProbeParts, signal: AbortSignal): Promise<void> {
  const versions = everyVersion(parts);
  const failing = new AbortController();
  const stopped = AbortSignal.any([signal, failing.signal]);
  const worker = async () => {
    try {
      for (let next = await versions.next(); next.done !== true && !stopped.aborted; next = await versions.next())
        await probe(parts, next.value, stopped);
    } catch (error) {
      failing.abort();
      throw error;
    }
  };
  const outcomes = await Promise.allSettled(Array.from({ length: probesAtOnce }, worker));
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

async function* everyVersion({ store }: ProbeParts): AsyncGenerator<VersionRecord, undefined> {
  let after: string | undefined;
  do {
    const batch = await store.probeBatch(after, batchSize);
    yield* batch.versions.filter(({ manifest }) => manifest.baseUrl !== embeddedBaseUrl);
    after = batch.next;
  } while (after !== undefined);
  return undefined;
}

/** Only what changes something is written: an app that is well stays unmarked, one that is long gone is not counted for ever. */
async function probe(parts: ProbeParts, version: VersionRecord, signal: AbortSignal): Promise<void> {
  const health = await unlessAborted(parts.openFlowApp(version).health(), signal);
  if (health === undefined || signal.aborted) return;
  const { ok: healthy } = health;
  const { appId, healthMisses } = version;
  if (healthy ? healthMisses === 0 : healthMisses >= unhealthyFromMisses) return;
  await parts.store.noteHealth(appId, version.version, healthy);
  if (healthy ? healthMisses >= unhealthyFromMisses : healthMisses + 1 === unhealthyFromMisses)
    parts.onChange(version, healthy);
}

/** The end of the work does not wait for apps; `pending` never rejects. Leaves nothing behind on the signal. */
async function unlessAborted<T>(pending: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const end = () => resolve(undefined);
  signal.addEventListener('abort', end, { once: true });
  try {
    return await Promise.race([pending, promise]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}
