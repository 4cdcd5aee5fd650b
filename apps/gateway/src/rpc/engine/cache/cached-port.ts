/** Answers callers' reads from memory where that is right, and makes equal reads that are in progress one (contract/cache, docs/decisions/0093). Wraps a port. */

import type { CallPort, NodeAnswer, NodeCall, NodeReply } from '../../../upstream/port/node-port.ts';
import { type AnswerCache, isCallersOwn } from './answer-cache.ts';
import { CachedBatch } from './cached-batch.ts';
import type { InFlightCall } from './in-flight-calls.ts';

/** `cache`: of the network behind `port`, and of no other. */
export function createCachedPort(port: CallPort, cache: AnswerCache): CallPort {
  function send(call: NodeCall): ReturnType<CallPort['send']> {
    // The terms of the engine's own questions.
    if (call.onlyNode !== undefined || call.fromHeight !== undefined) return port.send(call);
    if (cache.look(call)) return cache.kept(call) ?? joinOrLead(call);
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

  /** The call was looked at in this turn. `endMs`: of a caller who has waited for others already. */
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
   * A failure that is the asking caller's own is no one else's, and neither is a large result, which is charged, nor the answer of a node that others may not be permitted to call: this caller asks then,
   * or joins others who do. What a node fails by, is asked once more for all who waited, in the time that is left to each.
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
    return cache.kept(call) ?? joinOrLead(call, shared !== undefined, endMs);
  }

  function inTime(call: NodeCall, endMs: number): NodeCall {
    return { ...call, timeoutMs: cache.leftMs(endMs) };
  }

  return {
    send,
    sendBatch: (batch) => new CachedBatch(cache, port, batch, followed).send(),
  };
}
