/** A node provider for nodes that users register: the local chain's JSON-RPC at `/v2/{key}`. Any well-formed key is accepted. */

import { boundedText } from './bounded-text.ts';

export type NodeProvider = {
  /** Without a key: `http://127.0.0.1:9300/v2`. */
  readonly url: string;
  readonly stop: () => Promise<void>;
};

export type NodeProviderOptions = {
  readonly rpcUrl: string;
  /** 0 chooses a free port. */
  readonly port?: number;
};

const nodePath = /^\/v2\/[A-Za-z0-9_-]{16,128}$/;
const maxBodyBytes = 8 * 1024 * 1024;

export function startNodeProvider({ rpcUrl, port = 0 }: NodeProviderOptions): NodeProvider {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port,
    maxRequestBodySize: maxBodyBytes,
    async fetch(request) {
      if (!nodePath.test(new URL(request.url).pathname)) return new Response('no such node', { status: 404 });
      if (request.method !== 'POST') return new Response('POST only', { status: 405, headers: { Allow: 'POST' } });
      const body = await request.text();
      try {
        const answer = await fetch(rpcUrl, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
        return new Response(await boundedText(answer), {
          status: answer.status,
          headers: { 'Content-Type': 'application/json' },
        });
      } catch {
        return new Response('the chain does not answer', { status: 502 });
      }
    },
  });
  return { url: `http://127.0.0.1:${server.port}/v2`, stop: () => server.stop(true) };
}
