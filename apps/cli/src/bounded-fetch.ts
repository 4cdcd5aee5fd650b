/** `fetch` for a command: requests end with the command, and the size of answers is bounded. */

import type { Fetch } from './runtime.ts';

/** Lists have at most a hundred entries and results of calls are streamed, so no buffered answer reaches this size. */
const maxBytes = 64 * 1_048_576;

/** `signal` ends each request, in addition to the request's own signal. */
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
