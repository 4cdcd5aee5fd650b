/** The rules for the URL of a registered node (contract/nodes#rules). Whether its host has public addresses is checked when the node is called. */

import { hostFault, isPlainText, maxUrlLength, plainHostOf } from '@flowgate/http1/safe-fetch/url-vetting';
import { nodeSchemeOf } from '../../upstream/port/node-schemes.ts';
import type { Provider } from '../../upstream/port/provider.ts';

export type NodeKind = 'public' | 'private';

export type NodeUrlRules = {
  readonly providers: readonly Provider[];
  /** Whether the operator allows this host to be private: it is exempt from the rules on scheme, port and address. */
  readonly isPrivateAllowed: (url: URL) => boolean;
};

export type CheckedNodeUrl =
  | {
      readonly url: URL;
      /** The approved provider that the host belongs to. */
      readonly providerId?: string;
      readonly problems?: undefined;
    }
  /** Each names the member `url` and the rule, and repeats nothing of the URL. */
  | { readonly problems: readonly string[] };

/** A provider's key: the unreserved characters of URLs (RFC 3986). */
const providerKey = /^[A-Za-z0-9._~-]{16,}$/;

/** The rules that the URL breaks, or the URL. */
export function checkNodeUrl(text: string, kind: NodeKind, rules: NodeUrlRules): CheckedNodeUrl {
  if (text.length > maxUrlLength) return { problems: [`url must have at most ${maxUrlLength} characters`] };
  if (!isPlainText(text)) return { problems: ['url must be plain ASCII without spaces and backslashes'] };
  const url = URL.parse(text);
  if (url === null || nodeSchemeOf(text) === undefined || !/^https?:\/\//i.test(text))
    return { problems: [`url must be an absolute ${kind === 'public' ? 'https' : 'https or http'} URL`] };
  const provider = providerOf(url, rules.providers);
  const problems = [
    ...formProblems(text, url),
    ...(kind === 'public' ? publicProblems(url, provider, rules.isPrivateAllowed(url)) : []),
  ];
  if (problems.length > 0) return { problems };
  return { url, ...(provider === undefined ? {} : { providerId: provider.providerId }) };
}

/** The approved provider with a domain that is the host or contains it. */
export function providerOf(url: URL, providers: readonly Provider[]): Provider | undefined {
  return providers.find(({ domains }) => domains.some((domain) => isAtOrBelow(url.hostname, domain)));
}

/** For every node: a URL is its host, its port and its path. */
function formProblems(text: string, url: URL): string[] {
  const authority = /^[a-z]+:\/\/([^/?#]*)/i.exec(text)?.[1] ?? '';
  const hasUser = authority.includes('@');
  return [
    ...(hasUser ? ['url must have no user and no password (userinfo)'] : []),
    ...(!hasUser && plainHostOf(text, url) === undefined
      ? ['url must have a plain host in its canonical spelling']
      : []),
    ...(text.includes('?') ? ['url must have no query'] : []),
    ...(text.includes('#') ? ['url must have no fragment'] : []),
  ];
}

function publicProblems(url: URL, provider: Provider | undefined, isPrivateAllowed: boolean): string[] {
  const fault = isPrivateAllowed ? undefined : hostFault(url.hostname);
  return [
    ...(isPrivateAllowed || url.protocol === 'https:' ? [] : ['url must have the scheme https']),
    ...(isPrivateAllowed || url.port === '' ? [] : ['url must have the default port, 443']),
    ...(provider === undefined
      ? ['url must have a host at or below the domain of an approved provider (GET /providers)']
      : []),
    ...(url.pathname.split('/').some((segment) => providerKey.test(segment))
      ? []
      : ["url must contain the provider's key: a path segment of at least 16 URL-safe characters"]),
    ...(fault === undefined ? [] : ['url must have a public address']),
  ];
}

/** `domain`: a host name or an IP address, as configured. */
function isAtOrBelow(hostname: string, domain: string): boolean {
  const wanted = canonicalHost(domain);
  return hostname === wanted || hostname.endsWith(`.${wanted}`);
}

/** As `URL` serializes it. */
function canonicalHost(domain: string): string {
  const host = domain.includes(':') && !domain.startsWith('[') ? `[${domain}]` : domain;
  return URL.parse(`https://${host}`)?.hostname ?? domain.toLowerCase();
}
