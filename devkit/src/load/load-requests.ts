/** Renders a job's requests to bytes once, before anything is timed. */
import type { LoadRequests } from './load-job.ts';

export type RenderedRequest = {
  readonly bytes: Uint8Array;
  /** The id of the first call in it; the others of a batch count up from here. */
  readonly firstId: number;
  readonly batchSize: number;
};

export function renderRequests(requests: LoadRequests): readonly RenderedRequest[] {
  return requests.keys.map((key, index) => {
    const firstId = 1000 + index * requests.batchSize;
    const body = bodyOf(requests, firstId);
    const keyLine = requests.keyHeader === undefined ? '' : `${requests.keyHeader}: ${key}\r\n`;
    const head =
      `POST ${requests.path.replace('{key}', key)} HTTP/1.1\r\nHost: 127.0.0.1:${requests.port}\r\n${keyLine}` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
    return { bytes: Buffer.from(head + body), firstId, batchSize: requests.batchSize };
  });
}

function bodyOf({ method, params, batchSize }: LoadRequests, firstId: number): string {
  const calls = Array.from({ length: batchSize }, (_, offset) =>
    JSON.stringify({ jsonrpc: '2.0', id: firstId + offset, method, params }),
  );
  return batchSize === 1 ? calls.join('') : `[${calls.join(',')}]`;
}
