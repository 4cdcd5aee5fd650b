/** A request that is more than a body for a client's fixed URL: its own method, path and headers, answered with headers and bytes. */
import { isHeaderName, isHeaderValue } from './http1-origin.ts';

export type WholeRequest = {
  /** From the request line to the empty line; ASCII. */
  readonly head: string;
  /** Empty for a GET. */
  readonly body: string;
  /** Bytes of the answer's content as it is sent. */
  readonly maxBytes: number;
  /** The whole call, waiting for a connection included. */
  readonly timeoutMs: number;
};

/** Undefined when a header cannot be sent. `url` must hold no userinfo: it is not looked at. */
export function wholeHead(
  method: 'GET' | 'POST',
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
): string | undefined {
  let head = `${method} ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\n`;
  for (const [name, value] of Object.entries(headers)) {
    if (!isHeaderName(name) || !isHeaderValue(value)) return undefined;
    head += `${name}: ${value}\r\n`;
  }
  // Identity is asked for because answers are small; what comes compressed all the same (by a proxy between) is understood.
  head += 'Accept-Encoding: identity\r\n';
  return method === 'GET' ? `${head}\r\n` : `${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
}
