/** Renders a job's requests to bytes once, before anything is timed. */
import type { LoadRequests } from './load-job.ts';

export type RenderedRequest = {
  readonly bytes: Uint8Array;
  /** The id of the first call; the ids of a batch count up from here. */
  readonly firstId: number;
  readonly batchSize: number;
  /** Byte offsets of the digits of `{fresh}`. */
  readonly fresh?: readonly number[];
};

const placeholder = '{fresh}';
const freshDigits = 16;
/** Marks the offset until the request is sent; a key almost never contains these digits. */
const zeros = 'f'.repeat(freshDigits);

export function renderRequests(requests: LoadRequests): readonly RenderedRequest[] {
  return requests.keys.map((key, index) => {
    const firstId = 1000 + index * requests.batchSize;
    const body = bodyOf(requests, firstId);
    const keyLine = requests.keyHeader === undefined ? '' : `${requests.keyHeader}: ${key}\r\n`;
    const head =
      `POST ${requests.path.replace('{key}', key)} HTTP/1.1\r\nHost: 127.0.0.1:${requests.port}\r\n${keyLine}` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
    return { ...bytesOf(head + body), firstId, batchSize: requests.batchSize };
  });
}

/** Zeros until digits are written before each send. */
function bytesOf(text: string): Required<Pick<RenderedRequest, 'bytes' | 'fresh'>> {
  const fresh: number[] = [];
  for (let at = text.indexOf(zeros); at >= 0; at = text.indexOf(zeros, at + freshDigits))
    fresh.push(Buffer.byteLength(text.slice(0, at)));
  return { bytes: Buffer.from(text), fresh };
}

/** Writes digits that no earlier request had in this process and, almost certainly, in any other. */
export class FreshDigits {
  #next = 0;
  readonly #run = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;

  writeTo({ bytes, fresh = [] }: RenderedRequest): void {
    for (const at of fresh) {
      writeDigits(bytes, at, this.#run);
      writeDigits(bytes, at + freshDigits / 2, this.#next++);
    }
  }
}

/** The last eight digits. */
function writeDigits(bytes: Uint8Array, at: number, value: number): void {
  for (let nth = 0; nth < 8; nth++) {
    const digit = (value >>> (28 - 4 * nth)) & 15;
    bytes[at + nth] = digit + (digit < 10 ? 0x30 : 0x57);
  }
}

function bodyOf({ method, params, batchSize }: LoadRequests, firstId: number): string {
  const calls = Array.from({ length: batchSize }, (_, offset) =>
    JSON.stringify({ jsonrpc: '2.0', id: firstId + offset, method, params }).replaceAll(placeholder, zeros),
  );
  return batchSize === 1 ? calls.join('') : `[${calls.join(',')}]`;
}
