/**
 * The rules for a URL that a user names, before the gateway calls it. The address of its host is vetted at each call.
 */

import { isIP } from 'node:net';
import { ok, type Refused, type Result, refused } from '@flowgate/base/result';
import { isPublicAddress } from './public-address.ts';

export type VettedUrl = {
  readonly url: URL;
  /** Whether the operator allowed this host: then its addresses may be private. */
  readonly privateAllowed: boolean;
};

/** `detail` names the rule and repeats nothing of the URL. */
export type UrlVetting = (text: string) => Result<VettedUrl, 'bad-request'>;

export const maxUrlLength = 2_048;
const written = /^(https?):\/\/(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::([1-9]\d{0,4}))?(?:[/?#]|$)/i;
const wrongHost = 'the URL must have a plain host in its canonical spelling, without user or password';

/** Names that are never public (RFC 6761, 6762, 7686, 8375, 9476 and ICANN's `internal`), and all names below them. */
const privateNames = /(?:^|\.)(?:localhost|localdomain|local|internal|home\.arpa|invalid|onion|alt)$/;

/** Ports from 1024 on that browsers refuse as well (Fetch, bad ports): other protocols than HTTP use them. */
const foreignPorts = new Set([1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6679, 6697, 10080]);
/** Ports of databases that might read a request as one of their own commands. */
const databasePorts = new Set([1433, 1521, 2379, 3306, 5432, 6379, 9200, 11211, 27017]);

/** `allowPrivateHosts`: hosts, or `host:port`, as written in a URL. */
export function createUrlVetting(allowPrivateHosts: readonly string[]): UrlVetting {
  const allowed = new Set(allowPrivateHosts);
  return (text) => {
    if (text.length > maxUrlLength) return wrong(`the URL must be at most ${maxUrlLength} characters`);
    if (!isPlainText(text)) return wrong('the URL must be plain ASCII without blanks and backslashes');
    const url = URL.parse(text);
    if (url === null || !/^https?:\/\//i.test(text)) return wrong('the URL must be an absolute https URL');
    const host = plainHostOf(text, url);
    if (host === undefined) return wrong(wrongHost);
    const port = portOf(url);
    if (allowed.has(host) || allowed.has(`${host}:${port}`)) return ok({ url, privateAllowed: true });
    const fault = url.protocol === 'https:' ? (portFault(port) ?? hostFault(url.hostname)) : 'the URL must be https';
    return fault === undefined ? ok({ url, privateAllowed: false }) : wrong(fault);
  };
}

/** ASCII without blanks and backslashes. */
export function isPlainText(text: string): boolean {
  return /^[\x21-\x7e]*$/.test(text) && !text.includes('\\');
}

/**
 * The host as `text` spells it; undefined unless it is the canonical spelling, which excludes numbers, short forms,
 * encodings and look-alike names.
 */
export function plainHostOf(text: string, url: URL): string | undefined {
  const host = written.exec(text)?.[2] ?? '';
  return host !== '' && url.hostname === host.toLowerCase() ? host : undefined;
}

/** The port to connect to. */
export function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

/** Whether the operator lets users name this host although it is private or plain http. */
export function createPrivateHosts(allowPrivateHosts: readonly string[]): (url: URL) => boolean {
  const allowed = new Set(allowPrivateHosts);
  return (url) => allowed.has(url.hostname) || allowed.has(`${url.hostname}:${portOf(url)}`);
}

/** Whether this can be an entry of `allowPrivateHosts`: anything else would never match a URL. */
export function isHostOfUrl(text: string): boolean {
  const [, host = '', port = '0'] = /^(\[[0-9a-f:.]+\]|[^:@/?#[\]\\]+)(?::(\d{1,5}))?$/i.exec(text) ?? [];
  return host !== '' && Number(port) <= 65_535 && URL.parse(`https://${host}`)?.hostname === host.toLowerCase();
}

function wrong(detail: string): Refused<'bad-request'> {
  return refused('bad-request', detail);
}

function portFault(port: number): string | undefined {
  if (port === 443) return undefined;
  const taken = port < 1024 || foreignPorts.has(port) || databasePorts.has(port);
  return taken ? "the URL's port must be 443, or one from 1024 that no other protocol is known for" : undefined;
}

/**
 * The rule that a host breaks, which users may name only when it is public; undefined when it breaks none. Does not
 * resolve names.
 */
export function hostFault(hostname: string): string | undefined {
  const address = literalAddress(hostname);
  if (address !== undefined) return isPublicAddress(address) ? undefined : "the URL's address must be a public one";
  const labels = hostname.split('.');
  if (hostname.length > 253 || labels.length < 2 || labels.includes('') || privateNames.test(hostname)) {
    return "the URL's host must be a public name";
  }
  return undefined;
}

/** The IP address in a URL's host, without brackets; undefined for a name. */
export function literalAddress(hostname: string): string | undefined {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return isIP(bare) === 0 ? undefined : bare;
}
