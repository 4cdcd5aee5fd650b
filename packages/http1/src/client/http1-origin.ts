/** The destination of an HTTP/1.1 client's requests, and everything about them that is known before the first one. */

import type { TimerWheel } from '@flowgate/async/timer-wheel';
import type { TurnBudget } from '@flowgate/async/turn-budget';
import type { ByteBudget } from '@flowgate/bytes/byte-budget';
import { requestHead } from './http1-request.ts';
import { RequestBytes } from './request-bytes.ts';

export type Http1OriginOptions = {
  /** http or https. Userinfo becomes Basic credentials; path and query may contain a provider's key. */
  readonly url: string;
  /** The IP address to connect to instead of resolving the host. `Host` and the name in the certificate stay those of the URL. */
  readonly address?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** For name resolution, TCP and TLS together; default 3,000. */
  readonly connectTimeoutMs?: number;
  /** Default 64 MiB: the largest traces and log queries that nodes return by default. */
  readonly maxResponseBytes?: number;
  /** The budget that large answers are charged to, for requests that name their owner; without it nothing is charged. */
  readonly answerBudget?: ByteBudget;
  /** Default 55,000: below the 60 s of common load balancers, so that the client closes first. A shorter keep-alive time of the server wins. */
  readonly idleTimeoutMs?: number;
  /** `ca` (PEM) replaces the well-known certificate authorities. Certificates are verified unless `rejectUnauthorized` is false. */
  readonly tls?: { readonly ca?: string; readonly rejectUnauthorized?: boolean };
  readonly timerWheel: TimerWheel;
  /** Answers are read within this budget of the event loop. */
  readonly turns: TurnBudget;
};

/** Where a socket is opened to. */
export type Destination = {
  /** The name or address to connect to. */
  readonly hostname: string;
  readonly port: number;
  /** Undefined without TLS. Never empty: Bun.connect treats an empty object as "no TLS". */
  readonly tls: { readonly serverName: string; readonly rejectUnauthorized: boolean; readonly ca?: string } | undefined;
};

/** The destination of one client's connections, and the limits of each. */
export type Http1Origin = Destination & {
  /** The request's head up to the value of Content-Length; ASCII. */
  readonly head: string;
  /** The buffer in which requests that are written at once are built, one after another. */
  readonly requests: RequestBytes;
  readonly connectTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly maxResponseBytes: number;
  readonly answerBudget: ByteBudget | undefined;
  readonly timerWheel: TimerWheel;
  readonly turns: TurnBudget;
};

/** @throws TypeError for a URL or a header that cannot be sent; the message contains neither. */
export function originOf(options: Http1OriginOptions): Http1Origin {
  const url = URL.parse(options.url);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new TypeError('an HTTP client needs a valid http or https URL');
  }
  const head = headOf(url, options.headers ?? {});
  return {
    ...destinationOf(url, url.protocol === 'https:', options),
    head,
    requests: new RequestBytes(head),
    connectTimeoutMs: options.connectTimeoutMs ?? 3_000,
    idleTimeoutMs: options.idleTimeoutMs ?? 55_000,
    maxResponseBytes: options.maxResponseBytes ?? 64 * 1024 * 1024,
    answerBudget: options.answerBudget,
    timerWheel: options.timerWheel,
    turns: options.turns,
  };
}

/** `address` and `tls` as in `Http1OriginOptions`. */
export function destinationOf(
  url: URL,
  secure: boolean,
  options: Pick<Http1OriginOptions, 'address' | 'tls'>,
): Destination {
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const ca = options.tls?.ca;
  const tls = {
    serverName: hostname,
    // Always set: when it is missing, Bun lets NODE_TLS_REJECT_UNAUTHORIZED decide.
    rejectUnauthorized: options.tls?.rejectUnauthorized ?? true,
    ...(ca === undefined ? {} : { ca }),
  };
  return {
    hostname: options.address ?? hostname,
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    tls: secure ? tls : undefined,
  };
}

/** The part of the head that is known before the body. */
function headOf(url: URL, headers: Readonly<Record<string, string>>): string {
  const head = requestHead('POST', url, [...credentialsOf(url), ...Object.entries(headers)]);
  if (head === undefined) throw new TypeError('a header of an HTTP client cannot be sent');
  return `${head}Content-Length: `;
}

/** Userinfo as a header. */
export function credentialsOf(url: URL): readonly (readonly [name: string, value: string])[] {
  return url.username === '' && url.password === '' ? [] : [['Authorization', basicCredentials(url)]];
}

/** RFC 7617, in UTF-8. A percent sign that begins no escape is read as itself. */
function basicCredentials(url: URL): string {
  const decode = (text: string): string => {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  };
  return `Basic ${Buffer.from(`${decode(url.username)}:${decode(url.password)}`).toString('base64')}`;
}
