/**
 * Request heads, and whole requests: with their own method, path and headers instead of a client's fixed URL, answered
 * with headers and bytes.
 */

export type WholeRequest = {
  /** From the request line to the empty line; ASCII. */
  readonly head: string;
  /** Empty for a GET. */
  readonly body: string;
  /** The most bytes of the answer's content, as transferred. */
  readonly maxBytes: number;
  /** Milliseconds for the whole call, including the wait for a connection. */
  readonly timeoutMs: number;
  /** Whether `head` announces that the connection carries no further request (RFC 9112 9.6). It then carries none, even when the answer does not announce it as well. */
  readonly closes: boolean;
};

/** Only the client sets headers that frame the message or belong to the connection. */
const ownHeaders = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'accept-encoding',
  'expect',
  'te',
  'upgrade',
]);

/** The head from the request line to the last of the given headers, in ASCII; undefined when one of them cannot be sent. The URL's userinfo and fragment are omitted. */
export function requestHead(
  method: 'GET' | 'POST',
  url: URL,
  headers: readonly (readonly [name: string, value: string])[],
): string | undefined {
  let head = `${method} ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\n`;
  for (const [name, value] of headers) {
    if (!isHeaderName(name) || !isHeaderValue(value)) return undefined;
    head += `${name}: ${value}\r\n`;
  }
  return head;
}

/** A whole head; undefined when a header cannot be sent. `url` must have no userinfo: it is ignored. `closes`: the connection carries no further request. */
export function wholeHead(
  method: 'GET' | 'POST',
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
  closes: boolean,
): string | undefined {
  const head = requestHead(method, url, Object.entries(headers));
  if (head === undefined) return undefined;
  // Asks for identity because answers are small; an answer that a proxy compresses anyway is decoded.
  const length = method === 'GET' ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  const connection = closes ? 'Connection: close\r\n' : '';
  return `${head}${connection}Accept-Encoding: identity\r\n${length}\r\n`;
}

/** Whether a request may have this header: a token (RFC 9110 5.6.2) that the client does not set itself. */
export function isHeaderName(name: string): boolean {
  return /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name) && !ownHeaders.has(name.toLowerCase());
}

export function isHeaderValue(value: string): boolean {
  return /^[\t\x20-\x7e]*$/.test(value);
}
