/** The HTTP transport to a node: persistent HTTP/1.1 connections, each of which proves its chain before it carries a call. */

import type { Clock } from '@flowgate/base/clock';
import type { PipelineTrial } from '@flowgate/http1/client/http1-call';
import { createHttp1Client, type Http1Client } from '@flowgate/http1/client/http1-client';
import { type Chain, chainProblem, chainQuestion, headQuestion, proveChain, readHead } from '../port/chain-proof.ts';
import type { TakeIds } from '../port/node-request.ts';
import type { ProbeReply } from '../port/node-transport.ts';
import { BatchTry, failedProof, SingleTry, type TriedNode } from './http-try.ts';
import type { OpenTransport, TransportOptions } from './transport-options.ts';

export type HttpNode = OpenTransport & {
  readonly stats: () => { open: number; idle: number; waiting: number };
};

const jsonHeaders = { 'Content-Type': 'application/json', Accept: 'application/json' };

/** As long as the connect timeout: a healthy node answers the request for its chain from memory. */
const greetingTimeoutMs = 3_000;
const probeTimeoutMs = 5_000;
const maxProbeBytes = 65_536;

/** @throws TypeError for a URL or headers that cannot be sent. The message contains neither. */
export function openHttpNode(given: TransportOptions): HttpNode {
  const { nodeId, chain, headers, address, takeIds, pipelining, slices, clock, ...options } = given;
  const { timeoutMs } = options;
  const { family } = chain;
  const common = { ...options, ...(address && { address }), headers: { ...jsonHeaders, ...headers } };
  const client = createHttp1Client({
    ...common,
    greeting: {
      body: chainQuestion(family),
      timeoutMs: Math.min(greetingTimeoutMs, timeoutMs),
      problem: (status, body) => chainProblem(chain, status, body),
    },
    pipelining: pipelining && { ...pipelining, trial: pipelineTrial(chain, takeIds, timeoutMs) },
  });
  const prober = createHttp1Client({
    ...common,
    timeoutMs: Math.min(probeTimeoutMs, timeoutMs),
    maxResponseBytes: maxProbeBytes,
    maxConnections: 1,
  });
  const distrust = () => client.release(true);
  const tried: TriedNode = { nodeId, quickReads: family.quickReads, timeoutMs, slices, clock, distrust };
  return {
    nodeId,
    send(call) {
      const one = new SingleTry(tried, call, takeIds(1));
      return client.ask(one, one);
    },
    sendBatch(batch) {
      const one = new BatchTry(tried, batch, takeIds(batch.questions.length));
      return client.ask(one, one);
    },
    probe: () => probeOver(prober, chain, clock),
    release: client.release,
    close: () => {
      client.close();
      prober.close();
    },
    stats: client.stats,
  };
}

/** Sends the request for the chain three times at once, under different ids. A server that answers only one, or in another order, does not support pipelining. */
function pipelineTrial(chain: Chain, takeIds: TakeIds, timeoutMs: number): PipelineTrial {
  const firstId = takeIds(2);
  return {
    questions: [0, firstId, firstId + 1].map((id) => ({
      body: chainQuestion(chain.family, id),
      isAnswer: (status, body) => proveChain(chain, status, body, id).kind === 'right',
    })),
    timeoutMs: Math.min(greetingTimeoutMs, timeoutMs),
  };
}

/** A health check over HTTP: requests for the chain and for its head. `prober` is used for nothing else. It opens a new connection for each check, like a new caller. */
export async function probeOver(
  prober: Pick<Http1Client, 'post' | 'release'>,
  chain: Chain,
  clock: Clock,
): Promise<ProbeReply> {
  try {
    const failed = failedProof(chain, await prober.post(chainQuestion(chain.family)), clock);
    if (failed !== undefined) return failed;
    const startedMs = clock.monotonic();
    const head = await prober.post(headQuestion(chain.family));
    return {
      ok: true,
      latencyMs: Math.max(1, Math.round(clock.monotonic() - startedMs)),
      blockHeight: head.ok ? readHead(chain.family, head.status, head.body) : undefined,
    };
  } finally {
    prober.release(true);
  }
}
