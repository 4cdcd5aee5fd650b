/** The plain way to a node: HTTP/1.1 over kept-alive connections, each of which proves its chain before it carries a call. */

import type { Clock } from '../platform/clock.ts';
import type { PipelineTrial, Pipelining } from '../platform/http1/http1-call.ts';
import { createHttp1Client, type Http1ClientOptions } from '../platform/http1/http1-client.ts';
import type { TimeSlices } from '../platform/time-slices.ts';
import { chainProblem, chainQuestion, chainQuestionUnder, proveChain } from './chain-proof.ts';
import { BatchTry, probeOutcome, SingleTry, type TriedNode } from './http-try.ts';
import { batchRequestFor, requestFor, type TakeIds } from './node-request.ts';
import type { NodeTransport } from './node-transport.ts';

/** A transport together with its lifetime: held by whoever opened it, pools see a `NodeTransport`. */
export type OpenNode = NodeTransport & {
  readonly close: () => void;
  readonly stats: () => { open: number; idle: number; waiting: number };
};

const jsonHeaders = { 'Content-Type': 'application/json', Accept: 'application/json' };

export type HttpNodeOptions = Omit<Http1ClientOptions, 'headers' | 'greeting' | 'pipelining'> & {
  readonly nodeId: string;
  /** EIP-155: what the node has to answer to `eth_chainId`. */
  readonly chainId: number;
  /** Beside the JSON ones: what the node's operator asks for, for example a bearer token. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly takeIds: TakeIds;
  /** Present when its connections may carry several calls at once; told whether it answers them as it has to. */
  readonly pipelining?: Omit<Pipelining, 'trial'> | undefined;
  /** In which large answers are read. */
  readonly slices: TimeSlices;
  readonly clock: Pick<Clock, 'now'>;
};

/** As long as dialling may take: a healthy node answers this from memory. */
const greetingTimeoutMs = 3_000;
const probeTimeoutMs = 5_000;
const mostProbeBytes = 65_536;

/** @throws TypeError when URL or headers cannot be sent; its message holds neither. */
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
  // Its connection is not kept, so that every probe is a new one: it sees what a new caller would.
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

/** The question for the chain three times at once, under different ids: who answers only one of them, or in another order, does not pipeline. */
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
