/** The heads of requests, and requests that are more than a body for a client's fixed URL: with a method, path and headers of their own, answered with headers and bytes. */

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

/** Headers that frame the message or belong to the connection are the client's own. */
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

/** From the request line to the last of the given headers; undefined when one of them cannot be sent. Of the URL userinfo and fragment are left out. ASCII. */
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

/** A whole head; undefined when a header cannot be sent. `url` must hold no userinfo: it is not looked at. */
export function wholeHead(
  method: 'GET' | 'POST',
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
): string | undefined {
  const head = requestHead(method, url, Object.entries(headers));
  if (head === undefined) return undefined;
  // Identity is asked for because answers are small; what comes compressed all the same (by a proxy between) is understood.
  const length = method === 'GET' ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  return `${head}Accept-Encoding: identity\r\n${length}\r\n`;
}

/** Whether a request may be given this header: a token (RFC 9110, 5.6.2) that is not one of the client's own. */
export function isHeaderName(name: string): boolean {
  return /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name) && !ownHeaders.has(name.toLowerCase());
}

export function isHeaderValue(value: string): boolean {
  return /^[\t\x20-\x7e]*$/.test(value);
}
