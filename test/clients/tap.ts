/**
 * A proxy between a caller and the gateway that records each JSON-RPC batch, so that a test can check that there was
 * one.
 */

export type SeenBatch = { readonly form: 'header' | 'path'; readonly size: number };

export type Tap = {
  readonly url: string;
  /** Batches of more than one message, in the order of their arrival. */
  readonly batches: SeenBatch[];
  readonly stop: () => Promise<void>;
};

export function startTap(target: string): Tap {
  const batches: SeenBatch[] = [];
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const { method, headers } = request;
      if (method !== 'POST') return fetch(target + pathname + search, { method, headers, decompress: false });
      const body = await request.text();
      const parsed: unknown = JSON.parse(body);
      if (Array.isArray(parsed) && parsed.length > 1) {
        batches.push({ form: headers.has('x-api-key') ? 'header' : 'path', size: parsed.length });
      }
      // Compressed bodies are passed on unchanged.
      return fetch(target + pathname + search, { method, headers, body, decompress: false });
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, batches, stop: () => server.stop(true) };
}
