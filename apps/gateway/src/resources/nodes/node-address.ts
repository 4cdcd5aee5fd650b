/** The address of a registered node, which two registrations of one node have in common (contract/nodes#duplicates). */

import { createHmac, hkdfSync } from 'node:crypto';
import { withoutTrailing } from '@flowgate/base/text';
import { portOf } from '@flowgate/http1/safe-fetch/url-vetting';

export type AddressedNode = { readonly dlt: string; readonly networkId: string; readonly url: URL };

/** Digests of one address: the first is stored, and a node with any of them is a duplicate. */
export type AddressDigests = readonly [stored: string, ...others: string[]];

/**
 * Keyed digests (HMAC-SHA-256 under HKDF of each pepper): a reader of the table without a pepper learns no provider key and cannot relate rows to it. While a
 * pepper is replaced, digests under all peppers are compared. @throws for an empty list, which the configuration refuses.
 */
export function createAddressDigests(peppers: readonly string[]): (node: AddressedNode) => AddressDigests {
  const keys = peppers.map((pepper) => Buffer.from(hkdfSync('sha256', pepper, '', 'flowgate/node-address', 32)));
  return (node) => {
    const address = addressOf(node);
    const [stored, ...others] = keys.map((key) => createHmac('sha256', key).update(address).digest('hex'));
    if (stored === undefined) throw new Error('at least one pepper is needed');
    return [stored, ...others];
  };
}

/** Ledger, network, host in lower case, port, and path without a trailing slash. None of them contains a space. */
export function addressOf({ dlt, networkId, url }: AddressedNode): string {
  return `${dlt} ${networkId} ${url.hostname} ${portOf(url)} ${withoutTrailing(plainPath(url.pathname), '/')}`;
}

/** Without needless escapes (RFC 3986, 6.2.2): otherwise one path could be registered in many spellings. */
function plainPath(path: string): string {
  return path.replaceAll(/%[0-9a-f]{2}/gi, (written) => {
    const character = String.fromCharCode(Number.parseInt(written.slice(1), 16));
    return /[A-Za-z0-9._~-]/.test(character) ? character : written.toUpperCase();
  });
}
