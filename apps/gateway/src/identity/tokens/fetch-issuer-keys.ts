/** Fetches the issuer's keys over HTTP, with bounds on the size, time and form of its responses. */

import type { Clock } from '@flowgate/base/clock';
import { Unavailable } from '@flowgate/base/unavailable';
import { isPrivateTransport } from '@flowgate/http1/private-transport';
import type { SafeFetch } from '@flowgate/http1/safe-fetch/safe-fetch';
import { type JsonObject, member, parseJsonObject } from '@flowgate/json/json-object';

export type IssuerLocation = {
  readonly issuer: string;
  /** The address of the keys; without it, OpenID Connect Discovery finds them. */
  readonly jwksUri?: string | undefined;
  /** Whether http is allowed for other hosts than loopback, where it is always allowed. */
  readonly allowInsecureIssuer?: boolean | undefined;
};

const maxDocumentBytes = 1_048_576;

export type IssuerConnection = {
  /** Reads responses within the turn budget. */
  readonly request: SafeFetch['request'];
  readonly clock: Pick<Clock, 'monotonic'>;
  /** For the whole fetch, discovery included. */
  readonly timeoutMs: number;
};

/** The issuer's JWK Set document. Throws `Unavailable` unless the issuer returns one JSON object. */
export async function fetchIssuerKeys(location: IssuerLocation, connection: IssuerConnection): Promise<JsonObject> {
  const { request, clock } = connection;
  const endsAtMs = clock.monotonic() + connection.timeoutMs;
  const get = async (uri: string): Promise<JsonObject> => {
    const url = URL.parse(uri);
    if (url === null || !isTrustworthy(url, location.allowInsecureIssuer === true))
      throw unavailable('an address of the issuer is neither https nor http on loopback');
    return fetchDocument(url, request, endsAtMs - clock.monotonic());
  };
  return get(location.jwksUri ?? (await discoverJwksUri(location, get)));
}

async function discoverJwksUri(location: IssuerLocation, get: (uri: string) => Promise<JsonObject>): Promise<string> {
  const metadata = await get(`${location.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  // OpenID Connect Discovery 4.3: an exact comparison, or one issuer could publish keys for another.
  if (member(metadata, 'issuer') !== location.issuer)
    throw unavailable('the discovery document names another issuer than identity.issuer');
  const jwksUri = member(metadata, 'jwks_uri');
  if (typeof jwksUri !== 'string') throw unavailable('the discovery document has no jwks_uri');
  return jwksUri;
}

/** A redirect is a failure like any status other than 200, because its target would supply the keys that verify tokens. */
async function fetchDocument(url: URL, request: SafeFetch['request'], timeoutMs: number): Promise<JsonObject> {
  const { pathname } = url;
  const reply = await request({
    url: url.href,
    tenant: 'issuer',
    // `isTrustworthy` decides on addresses from the operator or from the operator's issuer.
    vouched: true,
    method: 'GET',
    headers: { Accept: 'application/json' },
    closes: true,
    timeoutMs,
    maxBytes: maxDocumentBytes,
  });
  if (!reply.ok && reply.failure === 'too-large')
    throw unavailable(`${pathname} answered more than ${maxDocumentBytes} bytes`);
  if (!reply.ok) throw unavailable(`${pathname} could not be fetched: ${reply.detail}`);
  if (reply.status !== 200) throw unavailable(`${pathname} answered ${reply.status}`);
  const document = parseJsonObject(reply.body);
  if (document === undefined) throw unavailable(`${pathname} answered something other than a JSON object`);
  return document;
}

function isTrustworthy(url: URL, allowInsecure: boolean): boolean {
  if (url.username !== '' || url.password !== '') return false;
  return isPrivateTransport(url) || (allowInsecure && url.protocol === 'http:');
}

function unavailable(message: string): Unavailable {
  return new Unavailable('identity provider', message);
}
