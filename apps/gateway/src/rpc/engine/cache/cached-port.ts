/** Answers callers' reads from the cache when the rules allow it, and coalesces equal reads in flight (contract/cache, docs/decisions/0093). Wraps a port. */

import type { CallPort, NodeAnswer, NodeCall, NodeReply } from '../../../upstream/port/node-port.ts';
import { type AnswerCache, isCallersOwn } from './answer-cache.ts';
import { CachedBatch } from './cached-batch.ts';
import type { InFlightCall } from './in-flight-calls.ts';

/** `cache`: the cache of the network behind `port`, used for no other network. */
export function createCachedPort(port: CallPort, cache: AnswerCache): CallPort {
  function send(call: NodeCall): ReturnType<CallPort['send']> {
    // Only the engine's own questions have these terms.
    if (call.onlyNode !== undefined || call.fromHeight !== undefined) return port.send(call);
    if (cache.look(call)) return cache.cached(call) ?? joinOrLead(call);
    return call.repeatable ? port.send(call) : sendOther(call);
  }

  function sendOther(call: NodeCall): ReturnType<CallPort['send']> {
    const { caller } = call;
    if (caller === undefined || !cache.submits(call.method)) return port.send(call);
    const sent = port.send(call);
    return sent instanceof Promise
      ? sent.then((reply) => {
          if (reply.ok && reply.answer.kind !== 'error') cache.noteSubmission(caller.userId);
          return reply;
        })
      : sent;
  }

  /** `cache.look` must have selected the call in this turn. `endMs`: the deadline of a caller who has already waited for another call. */
  function joinOrLead(call: NodeCall, isSecond = false, endMs?: number): ReturnType<CallPort['send']> {
    const inFlightCall = cache.shareable(call, endMs);
    if (inFlightCall !== undefined) return followed(inFlightCall, call, isSecond, endMs);
    const led = cache.begin(call, call, 0, cache.departure(endMs));
    const sent = port.send(endMs === undefined ? call : inTime(call, endMs));
    if (!(sent instanceof Promise)) {
      cache.end(led, sent);
      return sent;
    }
    led.pending = sent;
    return sent.then((reply) => {
      cache.end(led, reply);
      return reply;
    });
  }

  /**
   * Follows another caller's call. The leader's own failure, a large result (charged to the leader) and the answer of a node that others may not call are unshareable:
   * this caller then sends its own call, or joins another one. After a node's failure one more call is sent for all followers, within the time that each has left.
   */
  async function followed(
    inFlightCall: InFlightCall,
    call: NodeCall,
    isSecond = false,
    endMs = cache.endMs(),
  ): Promise<NodeReply<NodeAnswer>> {
    const shared = await cache.landed(inFlightCall);
    if (shared !== undefined && (shared.ok || (isSecond && !isCallersOwn(shared.failure)))) return shared;
    if (cache.leftMs(endMs) <= 0)
      return shared ?? { ok: false, failure: 'timeout', maybeDelivered: false, attempts: 0 };
    if (call.caller?.request.signal.aborted === true)
      return { ok: false, failure: 'abandoned', maybeDelivered: false, attempts: 0 };
    if (!cache.look(call)) return port.send(inTime(call, endMs));
    return cache.cached(call) ?? joinOrLead(call, shared !== undefined, endMs);
  }

  function inTime(call: NodeCall, endMs: number): NodeCall {
    return { ...call, timeoutMs: cache.leftMs(endMs) };
  }

  return {
    send,
    sendBatch: (batch) => new CachedBatch(cache, port, batch, followed).send(),
  };
}
