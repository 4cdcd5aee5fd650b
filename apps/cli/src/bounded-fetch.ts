/** `fetch` for a command: it ends with the command, and no answer fills the memory. */

import type { Fetch } from './runtime.ts';

/** Lists have at most a hundred entries, and results of calls are streamed: no answer that is read whole comes near it. */
const maxBytes = 64 * 1_048_576;

/** `signal` ends each request beside the request's own. */
export function boundedFetch(fetch: Fetch, signal: AbortSignal): Fetch {
  return async (url, init) => {
    const signals = init.signal ? [signal, init.signal] : [signal];
    const response = await fetch(url, { ...init, signal: AbortSignal.any(signals) });
    if (response.body === null) return response;
    let bytes = 0;
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.length;
        if (bytes > maxBytes) controller.error(new Error(`the answer is larger than ${maxBytes} bytes`));
        else controller.enqueue(chunk);
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(counted), { status, statusText, headers });
  };
}
