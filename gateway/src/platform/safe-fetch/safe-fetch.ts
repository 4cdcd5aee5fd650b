/** Requests to addresses that users named: vetted by what the name resolves to, pinned to that address, bounded in every way (docs/decisions/0030). */

import type { Clock } from '../clock.ts';
import { decodeContent } from '../content-coding.ts';
import type { Http1Failure, Http1Reply } from '../http1/http1-call.ts';
import { wholeHead } from '../http1/http1-request.ts';
import { ok, type Result } from '../result.ts';
import type { TimerWheel } from '../timer-wheel.ts';
import { isPublicAddress } from './address-vetting.ts';
import { createHostAddresses, type HostAddresses, type Resolve, resolveBySystem } from './host-addresses.ts';
import { createSafeFetchPools } from './safe-fetch-pools.ts';
import { createUrlVetting, literalAddress, type VettedUrl } from './url-vetting.ts';

export type SafeRequest = {
  readonly url: string;
  /** On whose account it is sent: connections, and the waiting for one, are shared with nobody else, whoever names the same address. */
  readonly tenant: string;
  readonly method: 'GET' | 'POST';
  /** Host, length, connection and accepted encodings are the client's own. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Everything together: name, connection, the whole answer. */
  readonly timeoutMs: number;
  /** Bytes of the answer's body, as sent and once decompressed. */
  readonly maxBytes: number;
};

/** `forbidden`: the URL, or an address that its host has, is none that users may name; no connection was made. The others as `Http1Failure` has them. */
export type SafeFailure = Http1Failure | 'forbidden';

export type SafeReply =
  | {
      readonly ok: true;
      /** Any status: redirects are answers and are not followed. */
      readonly status: number;
      /** Names in small letters; repeated ones joined with `, `. */
      readonly headers: ReadonlyMap<string, string>;
      /** Decompressed. */
      readonly body: Uint8Array;
    }
  | {
      readonly ok: false;
      readonly failure: SafeFailure;
      /** Whether any byte of the request may have left this machine. */
      readonly sent: boolean;
      /** For people: holds no URL, no address, no header. */
      readonly detail: string;
      /** Present when nothing but the answer's body was wrong: too large, or not what its coding says. */
      readonly status?: number;
    };

export type SafeFetch = {
  /** One request, sent at most once. Never throws. */
  readonly request: (request: SafeRequest) => Promise<SafeReply>;
  /** The rules for URLs alone, for the moment at which one is registered: asks no name server. `detail` names the rule. */
  readonly vetUrl: (text: string) => Result<URL, 'bad-request'>;
  /** Drops every connection; what is under way fails as `broken`. */
  readonly close: () => void;
  readonly stats: () => { origins: number; open: number };
};

export type SafeFetchOptions = {
  /** Hosts, or `host:port`, as written in URLs, that may be private and plain http. */
  readonly allowPrivateHosts: readonly string[];
  readonly timerWheel: TimerWheel;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly resolve?: Resolve;
  /** PEM; replaces the well-known authorities. */
  readonly ca?: string;
  /** Origins whose idle connections are kept, each for each tenant; default 256. An eighth of them for one tenant. */
  readonly maxOrigins?: number;
  /** For each tenant; default 32; requests beyond that wait. */
  readonly maxConnectionsPerOrigin?: number;
};

type Failed = Extract<SafeReply, { ok: false }>;
/** Of one host: more are no more likely to answer, and each costs a connect's time. */
const mostAddressesTried = 3;

export function createSafeFetch(options: SafeFetchOptions): SafeFetch {
  const { clock, timerWheel } = options;
  const vet = createUrlVetting(options.allowPrivateHosts);
  const addressesOf = createHostAddresses(options.resolve ?? resolveBySystem, timerWheel);
  const pools = createSafeFetchPools({
    timerWheel,
    maxOrigins: options.maxOrigins ?? 256,
    maxConnectionsPerOrigin: options.maxConnectionsPerOrigin ?? 32,
    ...(options.ca === undefined ? {} : { ca: options.ca }),
  });

  async function request(wanted: SafeRequest): Promise<SafeReply> {
    const endsAt = clock.monotonic() + wanted.timeoutMs;
    const leftMs = () => Math.max(0, endsAt - clock.monotonic());
    const vetted = vet(wanted.url);
    if (!vetted.ok) return failed('forbidden', vetted.detail ?? 'the URL is not allowed');
    const { url } = vetted.value;
    const { tenant } = wanted;
    const body = wanted.method === 'GET' ? '' : (wanted.body ?? '');
    const head = wholeHead(wanted.method, url, { 'User-Agent': 'Flowgate', ...wanted.headers }, body);
    if (head === undefined) return failed('forbidden', 'a header of the request cannot be sent');
    const addresses = await vettedAddresses(vetted.value, addressesOf, leftMs());
    if ('failure' in addresses) return addresses;
    let refusal = 'no connection in time';
    for (const address of inOrder(addresses, (each) => pools.knows({ url, address: each, tenant }))) {
      const timeoutMs = leftMs();
      if (timeoutMs === 0) break;
      const reply = await pools.send({ url, address, tenant }, { head, body, maxBytes: wanted.maxBytes, timeoutMs });
      if (reply.ok) return decoded(reply, wanted.maxBytes);
      // Only what never left may go to the next address.
      if (reply.failure !== 'connect') return reply;
      refusal = reply.detail;
    }
    return failed(leftMs() === 0 ? 'timeout' : 'connect', refusal);
  }

  return {
    request,
    vetUrl(text) {
      const vetted = vet(text);
      return vetted.ok ? ok(vetted.value.url) : vetted;
    },
    close: pools.close,
    stats: pools.stats,
  };
}

/** One forbidden address refuses the host: a name that is public and private at once is made to be mistaken. */
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

/** Those with a connection first, then IPv4: a broken IPv6 route costs a whole connect's time, a missing one is rare. */
function inOrder(addresses: readonly string[], connected: (address: string) => boolean): readonly string[] {
  const rank = (address: string) => (connected(address) ? 0 : address.includes(':') ? 2 : 1);
  return [...new Set(addresses)].sort((a, b) => rank(a) - rank(b)).slice(0, mostAddressesTried);
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
