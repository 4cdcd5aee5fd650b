/** Requests to addresses that users name: the resolved address is vetted, the connection is pinned to it, and everything is bounded (docs/decisions/0030). */

import type { TimerWheel } from '@flowgate/async/timer-wheel';
import type { TurnBudget } from '@flowgate/async/turn-budget';
import type { Clock } from '@flowgate/base/clock';
import { ok, type Result, refused } from '@flowgate/base/result';
import type { Http1Failure, Http1Reply } from '../client/http1-call.ts';
import { wholeHead } from '../client/http1-request.ts';
import { decodeContent } from '../compression/decode-content.ts';
import { createHostAddresses, type HostAddresses, type Resolve, resolveBySystem } from './host-addresses.ts';
import { isPublicAddress } from './public-address.ts';
import { createSafeFetchPools } from './safe-fetch-pools.ts';
import { createUrlVetting, literalAddress, type VettedUrl } from './url-vetting.ts';

export type SafeRequest = {
  readonly url: string;
  /**
   * The tenant for whom the request is sent. Other tenants that name the same address have their own connections and
   * their own queue.
   */
  readonly tenant: string;
  /** An administrator vouches for the address: any scheme, port and address is allowed. */
  readonly vouched?: boolean;
  readonly method: 'GET' | 'POST';
  /** The client sets host, length, connection and accepted encodings itself. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /**
   * The connection closes after the answer: for requests that are minutes apart, when an idle one would mostly be
   * closed by then.
   */
  readonly closes?: true;
  /** For the whole request: name resolution, connection, the whole answer. */
  readonly timeoutMs: number;
  /** The most bytes of the answer's body, both as sent and decompressed. */
  readonly maxBytes: number;
};

/**
 * `forbidden`: users may not name the URL or an address of its host; no connection was made. The others are those of
 * `Http1Failure`.
 */
export type SafeFailure = Http1Failure | 'forbidden';

export type SafeReply =
  | {
      readonly ok: true;
      /** Any status: redirects are answers and are not followed. */
      readonly status: number;
      /** Names in lower case; repeated fields are joined with `, `. */
      readonly headers: ReadonlyMap<string, string>;
      /** Decompressed. */
      readonly body: Uint8Array;
    }
  | {
      readonly ok: false;
      readonly failure: SafeFailure;
      /** Whether any byte of the request may have left this machine. */
      readonly sent: boolean;
      /** For people: contains no URL, no address, no header. */
      readonly detail: string;
      /** Present when only the answer's body was wrong: too large, or not in the stated coding. */
      readonly status?: number;
    };

export type SafeFetch = {
  /** One request, sent at most once. Never throws. */
  readonly request: (request: SafeRequest) => Promise<SafeReply>;
  /** Checks only the rules for URLs, for example at registration: does not resolve names. `detail` names the rule. */
  readonly vetUrl: (text: string) => Result<URL, 'bad-request'>;
  /**
   * The vetted addresses of the URL's host in the order in which to try them. For a connection of the caller's own that
   * is pinned to one of them. Never throws.
   */
  readonly addressesOf: (
    target: Pick<SafeRequest, 'url' | 'vouched' | 'timeoutMs'>,
  ) => Promise<readonly string[] | Extract<SafeReply, { ok: false }>>;
  /** Closes every connection; requests in progress fail as `broken`. */
  readonly close: () => void;
  readonly stats: () => { origins: number; open: number };
};

export type SafeFetchOptions = {
  /** Hosts, or `host:port`, as written in URLs, that may be private and plain http. */
  readonly allowPrivateHosts: readonly string[];
  readonly timerWheel: TimerWheel;
  /** Answers are read within this budget of the event loop. */
  readonly turns: TurnBudget;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly resolve?: Resolve;
  /** PEM; replaces the well-known authorities. */
  readonly ca?: string;
  /**
   * The maximum number of origins, counted for each tenant, whose idle connections stay open; default 256. At most an
   * eighth of them for one tenant.
   */
  readonly maxOrigins?: number;
  /** For each tenant; default 32. Further requests wait. */
  readonly maxConnectionsPerOrigin?: number;
};

type Failed = Extract<SafeReply, { ok: false }>;
/** For one host. Further addresses are no more likely to answer, and each costs the time of a connect. */
const maxAddressesTried = 3;

export function createSafeFetch(options: SafeFetchOptions): SafeFetch {
  const { clock, timerWheel, turns } = options;
  const vet = createUrlVetting(options.allowPrivateHosts);
  const addressesOf = createHostAddresses(options.resolve ?? resolveBySystem, timerWheel);
  const pools = createSafeFetchPools({
    ...{ timerWheel, turns },
    maxOrigins: options.maxOrigins ?? 256,
    maxConnectionsPerOrigin: options.maxConnectionsPerOrigin ?? 32,
    ...(options.ca === undefined ? {} : { ca: options.ca }),
  });

  async function request(wanted: SafeRequest): Promise<SafeReply> {
    const endsAt = clock.monotonic() + wanted.timeoutMs;
    const leftMs = () => Math.max(0, endsAt - clock.monotonic());
    const vetted = wanted.vouched === true ? vouchedFor(wanted.url) : vet(wanted.url);
    if (!vetted.ok) return failed('forbidden', vetted.detail ?? 'the URL is not allowed');
    const { url } = vetted.value;
    const { tenant } = wanted;
    const body = wanted.method === 'GET' ? '' : (wanted.body ?? '');
    const headers = { 'User-Agent': 'Flowgate', ...wanted.headers };
    const closes = wanted.closes === true;
    const head = wholeHead(wanted.method, url, headers, body, closes);
    if (head === undefined) return failed('forbidden', 'a header of the request cannot be sent');
    const addresses = await vettedAddresses(vetted.value, addressesOf, leftMs());
    if ('failure' in addresses) return addresses;
    let refusal = 'no connection in time';
    for (const address of inOrder(addresses, (each) => pools.knows({ url, address: each, tenant }))) {
      const timeoutMs = leftMs();
      if (timeoutMs === 0) break;
      const whole = { head, body, maxBytes: wanted.maxBytes, timeoutMs, closes };
      const reply = await pools.send({ url, address, tenant }, whole);
      if (reply.ok) return decoded(reply, wanted.maxBytes);
      // Only a request of which nothing was sent may go to the next address.
      if (reply.failure !== 'connect') return reply;
      refusal = reply.detail;
    }
    return failed(leftMs() === 0 ? 'timeout' : 'connect', refusal);
  }

  return {
    request,
    async addressesOf({ url, vouched, timeoutMs }) {
      const vetted = vouched === true ? vouchedFor(url) : vet(url);
      if (!vetted.ok) return failed('forbidden', vetted.detail ?? 'the URL is not allowed');
      const addresses = await vettedAddresses(vetted.value, addressesOf, timeoutMs);
      return 'failure' in addresses ? addresses : inOrder(addresses, () => false);
    },
    vetUrl(text) {
      const vetted = vet(text);
      return vetted.ok ? ok(vetted.value.url) : vetted;
    },
    close: pools.close,
    stats: pools.stats,
  };
}

/** Checks only the form: the URL was vetted when it was stored. */
function vouchedFor(text: string): Result<VettedUrl, 'bad-request'> {
  const url = URL.parse(text);
  return url === null || !/^https?:$/.test(url.protocol)
    ? refused('bad-request', 'the URL must be an absolute http or https URL')
    : ok({ url, privateAllowed: true });
}

/** One forbidden address makes the whole host forbidden: a name with public and private addresses is an attack. */
async function vettedAddresses(
  { url, privateAllowed }: VettedUrl,
  addressesOf: HostAddresses,
  timeoutMs: number,
): Promise<readonly string[] | Failed> {
  const literal = literalAddress(url.hostname);
  const addresses = literal === undefined ? await addressesOf(url.hostname, timeoutMs) : [literal];
  if ('failure' in addresses) return failed(addresses.failure, addresses.detail);
  if (privateAllowed || addresses.every(isPublicAddress)) return addresses;
  return failed('forbidden', 'the host has an address that is not a public one');
}

/**
 * Addresses with an open connection first, then IPv4. A broken IPv6 route costs the whole time of a connect, and hosts
 * without IPv4 are rare.
 */
function inOrder(addresses: readonly string[], connected: (address: string) => boolean): readonly string[] {
  const rank = (address: string) => (connected(address) ? 0 : address.includes(':') ? 2 : 1);
  return [...new Set(addresses)].sort((a, b) => rank(a) - rank(b)).slice(0, maxAddressesTried);
}

async function decoded(reply: Extract<Http1Reply, { ok: true }>, maxBytes: number): Promise<SafeReply> {
  const { headers, bytes } = reply.whole ?? { headers: new Map<string, string>(), bytes: new Uint8Array(0) };
  const content = await decodeContent(bytes, headers.get('content-encoding') ?? '', maxBytes);
  if (!content.ok) return { ...failed(content.failure, content.detail, true), status: reply.status };
  return { ok: true, status: reply.status, headers, body: content.bytes };
}

function failed(failure: SafeFailure, detail: string, sent = false): Failed {
  return { ok: false, failure, sent, detail };
}
