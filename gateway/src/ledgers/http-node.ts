/** The plain way to a node: HTTP/1.1 over kept-alive connections, each of which proves its chain before it carries a call. */

import { createHttp1Client, type Http1ClientOptions } from '../platform/http1/http1-client.ts';
import { chainProblem, chainQuestion } from './chain-proof.ts';
import type { NodeTransport } from './node-transport.ts';

/** A transport together with its lifetime: held by whoever opened it, pools see a `NodeTransport`. */
export type OpenNode = NodeTransport & {
  readonly close: () => void;
  readonly stats: () => { open: number; idle: number; waiting: number };
};

const JSON_HEADERS = { 'Content-Type': 'application/json', Accept: 'application/json' };

export type HttpNodeOptions = Omit<Http1ClientOptions, 'headers' | 'greeting'> & {
  readonly nodeId: string;
  /** EIP-155: what the node has to answer to `eth_chainId`. */
  readonly chainId: number;
  /** Beside the JSON ones: what the node's operator asks for, for example a bearer token. */
  readonly headers?: Readonly<Record<string, string>>;
};

/** As long as dialling may take: a healthy node answers this from memory. */
const greetingTimeoutMs = 3_000;
const probeTimeoutMs = 5_000;
const mostProbeBytes = 65_536;

/** @throws TypeError when URL or headers cannot be sent; its message holds neither. */
export function openHttpNode({ nodeId, chainId, headers, ...options }: HttpNodeOptions): OpenNode {
  const common = { ...options, headers: { ...JSON_HEADERS, ...headers } };
  const client = createHttp1Client({
    ...common,
    greeting: {
      body: chainQuestion,
      timeoutMs: Math.min(greetingTimeoutMs, options.timeoutMs),
      problem: (status, body) => chainProblem(chainId, status, body),
    },
  });
  // Its connection is not kept, so that every probe is a new one: it sees what a new caller would.
  const prober = createHttp1Client({
    ...common,
    timeoutMs: Math.min(probeTimeoutMs, options.timeoutMs),
    maxResponseBytes: mostProbeBytes,
    maxConnections: 1,
    idleTimeoutMs: 0,
  });
  return {
    nodeId,
    send: client.post,
    probe: () => prober.post(chainQuestion),
    release: client.release,
    close: () => {
      client.close();
      prober.close();
    },
    stats: client.stats,
  };
}
