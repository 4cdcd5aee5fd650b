/** Asks the issuer for its keys over HTTP. Trusts neither the size nor the speed nor the form of its answers. */

import { type JsonObject, member, parseJsonObject } from '../platform/json/json-object.ts';
import { isPrivateTransport } from '../platform/plain-http.ts';
import { Unavailable } from '../platform/unavailable.ts';

export type IssuerLocation = {
  readonly issuer: string;
  /** Where the keys are; without it they are found by OpenID Connect Discovery. */
  readonly jwksUri?: string | undefined;
  /** Plain http is always fine on loopback; elsewhere only with this. */
  readonly allowInsecureIssuer?: boolean | undefined;
};

const maxDocumentBytes = 1_048_576;

/** The issuer's JWK Set document. Throws `Unavailable` for everything that is not one JSON object from the right place. */
export async function fetchIssuerKeys(location: IssuerLocation, signal: AbortSignal): Promise<JsonObject> {
  const uri = location.jwksUri ?? (await discoverJwksUri(location, signal));
  return fetchDocument(uri, location, signal);
}

async function discoverJwksUri(location: IssuerLocation, signal: AbortSignal): Promise<string> {
  const uri = `${location.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const metadata = await fetchDocument(uri, location, signal);
  // OpenID Connect Discovery 4.3: exactly equal, or another issuer could speak in this one's name.
  if (member(metadata, 'issuer') !== location.issuer)
    throw unavailable('the discovery document names another issuer than identity.issuer');
  const jwksUri = member(metadata, 'jwks_uri');
  if (typeof jwksUri !== 'string') throw unavailable('the discovery document has no jwks_uri');
  return jwksUri;
}

async function fetchDocument(uri: string, location: IssuerLocation, signal: AbortSignal): Promise<JsonObject> {
  const url = URL.parse(uri);
  if (url === null || !isTrustworthy(url, location.allowInsecureIssuer === true))
    throw unavailable('an address of the issuer is neither https nor http on loopback');
  const bytes = await exchange(url, signal);
  const document = parseJsonObject(bytes);
  if (document === undefined) throw unavailable(`${url.pathname} answered something other than a JSON object`);
  return document;
}

function isTrustworthy(url: URL, allowInsecure: boolean): boolean {
  if (url.username !== '' || url.password !== '') return false;
  return isPrivateTransport(url) || (allowInsecure && url.protocol === 'http:');
}

/** A redirect counts as any other status that is not 200: following it would let its target choose our keys. */
async function exchange(url: URL, signal: AbortSignal): Promise<Uint8Array> {
  try {
    // Minutes pass between two requests: a kept connection would mostly be closed by then.
    const response = await fetch(url, {
      redirect: 'manual',
      keepalive: false,
      headers: { accept: 'application/json' },
      signal,
    });
    if (response.status === 200) return await readBounded(response, url.pathname);
    await response.body?.cancel();
    throw unavailable(`${url.pathname} answered ${response.status}`);
  } catch (cause) {
    if (cause instanceof Unavailable) throw cause;
    throw unavailable(`${url.pathname} could not be fetched`, cause);
  }
}

/** Counted after decompression, as it arrives. */
async function readBounded(response: Response, pathname: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxDocumentBytes) throw unavailable(`${pathname} answered more than ${maxDocumentBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function unavailable(message: string, cause?: unknown): Unavailable {
  return new Unavailable('identity provider', message, { cause });
}
