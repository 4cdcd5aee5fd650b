/** The HTTP transport to a node: kept-alive HTTP/1.1 connections, each of which proves its chain before it carries a call. */

import type { Clock } from '../platform/clock.ts';
import type { PipelineTrial, Pipelining } from '../platform/http1/http1-call.ts';
import { createHttp1Client, type Http1ClientOptions } from '../platform/http1/http1-client.ts';
import type { TimeSlices } from '../platform/time-slices.ts';
import { chainProblem, chainQuestion, chainQuestionUnder, proveChain } from './chain-proof.ts';
import { BatchTry, probeOutcome, SingleTry, type TriedNode } from './http-try.ts';
import { batchRequestFor, requestFor, type TakeIds } from './node-request.ts';
import type { NodeTransport } from './node-transport.ts';

/** A transport together with its lifetime: its opener closes it, pools see only a `NodeTransport`. */
export type OpenNode = NodeTransport & {
  readonly close: () => void;
  readonly stats: () => { open: number; idle: number; waiting: number };
};

const jsonHeaders = { 'Content-Type': 'application/json', Accept: 'application/json' };

export type HttpNodeOptions = Omit<Http1ClientOptions, 'headers' | 'greeting' | 'pipelining'> & {
  readonly nodeId: string;
  /** EIP-155: the result that the node must give for `eth_chainId`. */
  readonly chainId: number;
  /** Headers besides those for JSON that the node's operator requires, for example a bearer token. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly takeIds: TakeIds;
  /** Present when several calls may be in flight on one connection; reports whether the node supports that. */
  readonly pipelining?: Omit<Pipelining, 'trial'> | undefined;
  /** The time slices in which large answers are read. */
  readonly slices: TimeSlices;
  readonly clock: Pick<Clock, 'now'>;
};

/** As long as the connect time-out: a healthy node answers the question for its chain from memory. */
const greetingTimeoutMs = 3_000;
const probeTimeoutMs = 5_000;
const mostProbeBytes = 65_536;

/** @throws TypeError for a URL or headers that cannot be sent; the message contains neither. */
export function openHttpNode(given: HttpNodeOptions): OpenNode {
  const { nodeId, chainId, headers, takeIds, pipelining, slices, clock, ...options } = given;
  const { timeoutMs } = options;
  const common = { ...options, headers: { ...jsonHeaders, ...headers } };
  const client = createHttp1Client({
    ...common,
    greeting: {
      body: chainQuestion,
      timeoutMs: Math.min(greetingTimeoutMs, timeoutMs),
      problem: (status, body) => chainProblem(chainId, status, body),
    },
    pipelining: pipelining && { ...pipelining, trial: pipelineTrial(chainId, takeIds, timeoutMs) },
  });
  // Keeps no connection, so that every probe opens a new one and has the experience of a new caller.
  const prober = createHttp1Client({
    ...common,
    timeoutMs: Math.min(probeTimeoutMs, timeoutMs),
    maxResponseBytes: mostProbeBytes,
    maxConnections: 1,
    idleTimeoutMs: 0,
  });
  const tried: TriedNode = { nodeId, timeoutMs, slices, clock, distrust: () => client.release(true) };
  return {
    nodeId,
    send(call) {
      const id = takeIds(1);
      return client.ask(requestFor(call, id), new SingleTry(tried, call, id));
    },
    sendBatch(batch) {
      const { questions } = batch;
      const firstId = takeIds(questions.length);
      return client.ask(batchRequestFor(questions, firstId), new BatchTry(tried, batch, firstId, questions.length));
    },
    probe: async () => probeOutcome(chainId, await prober.post(chainQuestion), clock),
    release: client.release,
    close: () => {
      client.close();
      prober.close();
    },
    stats: client.stats,
  };
}

/** The question for the chain three times at once, under different ids: a server that answers only one of them, or in another order, does not pipeline. */
function pipelineTrial(chainId: number, takeIds: TakeIds, timeoutMs: number): PipelineTrial {
  const firstId = takeIds(2);
  return {
    questions: [0, firstId, firstId + 1].map((id) => ({
      body: chainQuestionUnder(id),
      isAnswer: (status, body) => proveChain(chainId, status, body, id).kind === 'right',
    })),
    timeoutMs: Math.min(greetingTimeoutMs, timeoutMs),
  };
}
