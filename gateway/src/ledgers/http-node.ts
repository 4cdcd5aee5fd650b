/** The plain way to a node: HTTP/1.1 over kept-alive connections. */

import { createHttp1Client, type Http1ClientOptions } from '../platform/http1-client.ts';
import type { NodeTransport } from './node-transport.ts';

/** A transport together with its lifetime: held by whoever opened it, pools see a `NodeTransport`. */
export type OpenNode = NodeTransport & {
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
