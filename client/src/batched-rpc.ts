/** Collects concurrent calls into one JSON-RPC batch. */

import type { JsonRpc, RpcCall, RpcOutcome, RpcTarget } from './json-rpc.ts';
import { isRepeatableMethod } from './repeatable-method.ts';

export type BatchOptions = {
  /** Maximum number of calls in a batch; the gateway's own limit is 100 by default. Default 100. */
  readonly size?: number | undefined;
  /** How long a call waits for others, in milliseconds. Default 0: until the end of the current task. */
  readonly waitMs?: number | undefined;
};

type Waiting = RpcCall & {
  readonly settle: (outcome: RpcOutcome) => void;
  readonly fail: (error: unknown) => void;
};

/** A call that is aborted while it waits is not sent. A call in flight stays in its batch, and its outcome is dropped. */
export function batchedRpc(
  { rpcBatch }: JsonRpc,
  target: RpcTarget,
  { size = 100, waitMs = 0 }: BatchOptions,
): (method: string, params: RpcCall['params'], signal?: AbortSignal) => Promise<unknown> {
  // A batch with other calls than plain reads is not retried, so reads are sent in a batch of their own.
  const queues = { reads: new Set<Waiting>(), others: new Set<Waiting>() };

  async function send(queue: Set<Waiting>): Promise<void> {
    const calls = [...queue].slice(0, size);
    for (const call of calls) queue.delete(call);
    if (queue.size > 0) void send(queue);
    if (calls.length === 0) return;
    try {
      const outcomes = await rpcBatch(calls, target);
      for (const [index, { settle }] of calls.entries()) {
        const outcome = outcomes[index];
        if (outcome !== undefined) settle(outcome);
      }
    } catch (error) {
      for (const { fail } of calls) fail(error);
    }
  }

  return (method, params, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const queue = isRepeatableMethod(method) ? queues.reads : queues.others;
      const abort = () => {
        queue.delete(waiting);
        reject(signal?.reason);
      };
      const done = (act: () => void) => {
        signal?.removeEventListener('abort', abort);
        act();
      };
      const waiting: Waiting = {
        method,
        params,
        settle: (outcome) => done(() => (outcome.ok ? resolve(outcome.result) : reject(outcome.error))),
        fail: (error) => done(() => reject(error)),
      };
      signal?.addEventListener('abort', abort, { once: true });
      queue.add(waiting);
      if (queue.size === 1) setTimeout(() => void send(queue), waitMs);
    });
}
