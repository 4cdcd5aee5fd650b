/** Bounds a whole call, including retries and waits, by a time limit and by the caller's signal. */

import { FlowgateError, noAnswerFacts } from './flowgate-error.ts';

export type Deadline = {
  /** Aborted when the time is up or the caller's signal is aborted; passed to `fetch`. */
  readonly signal: AbortSignal;
  /** Milliseconds left; Infinity without a time limit. */
  readonly remainingMs: () => number;
  /** Resolves after `delayMs`, or rejects when the deadline passes first. */
  readonly pause: (delayMs: number) => Promise<void>;
};

export type Bounds = {
  /** In milliseconds. Infinity: no time limit. Other values are capped at 2^31 - 1. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
};

/** Rejects with a `FlowgateError` of kind `no-answer` when the time is up, and with the signal's reason when the caller aborts. */
export async function withDeadline<T>(bounds: Bounds, work: (deadline: Deadline) => Promise<T>): Promise<T> {
  bounds.signal?.throwIfAborted();
  const controller = new AbortController();
  const { signal } = controller;
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  const passOn = () => controller.abort(bounds.signal?.reason);
  bounds.signal?.addEventListener('abort', passOn, { once: true });
  const timer = Number.isFinite(bounds.timeoutMs)
    ? setTimeout(() => controller.abort(timedOut(bounds.timeoutMs)), Math.min(bounds.timeoutMs, maxTimerMs))
    : undefined;
  const started = performance.now();
  const remainingMs = () => bounds.timeoutMs - (performance.now() - started);
  try {
    return await Promise.race([work({ signal, remainingMs, pause: (delayMs) => pause(delayMs, signal) }), aborted]);
  } finally {
    clearTimeout(timer);
    bounds.signal?.removeEventListener('abort', passOn);
  }
}

/** The promise's value, or a rejection with the signal's reason if the signal is aborted first. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = () => reject(signal.reason);
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
  });
}

/** Timers with a longer delay fire at once. */
const maxTimerMs = 2 ** 31 - 1;

/** Resolves after `delayMs`, at most 24 days, or rejects with the signal's reason when the signal is aborted first. */
export function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(
      () => {
        signal.removeEventListener('abort', end);
        resolve();
      },
      Math.min(delayMs, maxTimerMs),
    );
    signal.addEventListener('abort', end, { once: true });
  });
}

function timedOut(timeoutMs: number): FlowgateError {
  return new FlowgateError(
    `Flowgate did not answer within ${timeoutMs} ms.`,
    { kind: 'no-answer', isTimeout: true },
    noAnswerFacts,
  );
}
