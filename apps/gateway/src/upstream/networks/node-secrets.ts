/** The secrets in a node's configuration: its address, a provider's key in it, and the headers of its calls. */

import { withoutTrailing } from '@flowgate/base/text';

export type NodeAddress = {
  readonly url: string;
  readonly wsUrl?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
};

/** Each secret as written and decoded, whole and in parts. The redactor handles escapes and letter case. */
export function nodeSecrets({ url, wsUrl, headers }: NodeAddress): string[] {
  const parts = [url, ...(wsUrl === undefined ? [] : [wsUrl])].flatMap(partsOfUrl);
  return [...parts, ...Object.values(headers).flatMap(partsOfHeader)].filter(isSecret);
}

function partsOfUrl(url: string): string[] {
  const { origin, host, pathname, search, hash } = new URL(url);
  const segments = pathname.split('/').flatMap(spellings).filter(isSecret);
  // The paths of many gateways consist of common words only.
  const paths = segments.length === 0 ? [] : [pathname, origin + pathname, ...segments];
  const pairs = [...search.slice(1).split('&'), ...hash.slice(1).split('&')];
  const queries = [search, pathname + search, ...pairs, ...pairs.map(valueIn).flatMap(spellings)];
  return [
    ...[url, origin, ...(isIdentifying(host) ? [host] : []), ...paths],
    ...(search === '' && hash === '' ? [] : queries),
    ...userinfoOf(url),
  ];
}

/** Common parts of addresses and headers. They reveal nothing, and errors and logs without them are hard to read. */
const publicWords = new Set(
  `rpc api key ws wss eth evm ext bc v1 v2 v3 v4 apikey api-key api_key token basic bearer digest true false null none http https jsonrpc json-rpc json_rpc node nodes network chain mainnet testnet devnet
  goerli sepolia holesky hoodi amoy fuji archive full light ethereum polygon optimism arbitrum avalanche base linea scroll zksync gnosis celo fantom near
  solana bitcoin blockchain application/json text/plain json gzip deflate identity utf-8 keep-alive close no-cache no-store flowgate user admin prod production
  staging test default public internal main`.split(/\s+/),
);

export function isPublicWord(text: string): boolean {
  return publicWords.has(text.toLowerCase());
}

/** A short number is a port, a version or a year: no secret. */
function isSecret(text: string): boolean {
  return text.length > 1 && !isPublicWord(text) && !(text.length < 8 && /^\d*$/.test(text));
}

/** An IP address without a port reveals no owner, and a single word is a host in a private network. */
function isIdentifying(host: string): boolean {
  return host.includes(':') || (host.includes('.') && /[a-z]/.test(host));
}

function valueIn(pair: string): string {
  return pair.slice(pair.indexOf('=') + 1);
}

/** The text as written, and as URLs and forms decode it. A malformed escape stays as written. */
function spellings(text: string): string[] {
  const decoded = (written: string) =>
    new URLSearchParams(`value=${written.replaceAll('&', '%26')}`).get('value') ?? '';
  return [...new Set([text, decoded(text), decoded(text.replaceAll('+', '%2B'))])];
}

/** User and password, separately and together, and as HTTP encodes them (RFC 7617). */
function userinfoOf(url: string): string[] {
  const { username, password } = new URL(url);
  if (username === '' && password === '') return [];
  const decoded = `${spellings(username).at(-1) ?? ''}:${spellings(password).at(-1) ?? ''}`;
  return [`${username}:${password}`, ...spellings(username), ...credentialsIn(decoded)];
}

/** Expects `user:password` in plain text. */
function credentialsIn(decoded: string): string[] {
  const colon = decoded.indexOf(':');
  const password = decoded.slice(colon + 1);
  const bytes = Buffer.from(decoded);
  const encoded = [withoutTrailing(bytes.toString('base64'), '='), bytes.toString('base64url')];
  return [decoded, password, encodeURIComponent(password), decoded.slice(0, Math.max(0, colon)), ...encoded];
}

/** Parses values such as `Bearer abc`, `Basic …` and `key=abc; other="def"`. */
function partsOfHeader(value: string): string[] {
  const parts = value.split(/[\s,;]+/).flatMap((part) => [part, valueIn(part), valueIn(part).replaceAll('"', '')]);
  const basic = /^basic\s+(\S+)$/i.exec(value)?.[1];
  const credentials = basic === undefined ? [] : credentialsIn(Buffer.from(basic, 'base64').toString());
  return [value, ...parts, ...credentials];
}
