/** The way to a node: the port that the RPC room sends through, and its plain form over HTTP/1.1. */
import { createHttp1Client, type Http1ClientOptions } from '../platform/http1-client.ts';
import type { Http1Reply } from '../platform/http1-reply.ts';

/**
 * One node that can be asked. The reply is the transport's own, unmapped: `ok` with whatever HTTP status and text the node
 * answered, else the failure and whether the node may have seen the request, which alone decides if a transaction may be
 * offered to another node. A transport without statuses (a multiplexed WebSocket) answers 200.
 */
export type NodeTarget = {
  readonly nodeId: string;
  /** `body` is one JSON-RPC message or batch. Answers exactly once, never throws, never sends twice. */
  readonly send: (body: string) => Promise<Http1Reply>;
};

/** A target together with its lifetime: held by whoever opened it, the callers see a `NodeTarget`. */
export type OpenNode = NodeTarget & {
  readonly close: () => void;
  readonly stats: () => { open: number; idle: number; waiting: number };
};

const JSON_HEADERS = { 'Content-Type': 'application/json', Accept: 'application/json' };

export type HttpNodeOptions = Omit<Http1ClientOptions, 'headers'> & {
  readonly nodeId: string;
  /** Beside the JSON ones: what the node's operator asks for, for example a bearer token. */
  readonly headers?: Readonly<Record<string, string>>;
};

/** @throws TypeError when URL or headers cannot be sent; its message holds neither. */
export function openHttpNode({ nodeId, headers, ...options }: HttpNodeOptions): OpenNode {
  const client = createHttp1Client({ ...options, headers: { ...JSON_HEADERS, ...headers } });
  return { nodeId, send: client.post, close: client.close, stats: client.stats };
}
