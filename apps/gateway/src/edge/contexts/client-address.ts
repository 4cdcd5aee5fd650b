/** The client address of a request: that of the connection, or the one that a trusted proxy reports (contract/limits#invalid-credentials). */

import { isIP } from 'node:net';
import { trimBlanks } from '@flowgate/base/text';
import type { AddressRanges } from '@flowgate/http1/safe-fetch/address-ranges';

/**
 * Reads `X-Forwarded-For` from the right, past every trusted proxy, to the first address that no trusted proxy added. IPv6 counts by its /64, since one subscriber
 * controls all addresses in it.
 */
export function clientAddress(peer: string, forwardedFor: string | null, trusted: AddressRanges): string {
  let address = peer;
  if (forwardedFor !== null && trusted.holds(peer)) {
    for (let end = forwardedFor.length; end >= 0; ) {
      const comma = end === 0 ? -1 : forwardedFor.lastIndexOf(',', end - 1);
      const hop = withoutPort(trimBlanks(forwardedFor.slice(comma + 1, end)));
      end = comma;
      if (isIP(hop) === 0) break;
      address = hop;
      if (!trusted.holds(hop)) break;
    }
  }
  return subscriberOf(address);
}

/** Some proxies append the port: `1.2.3.4:5678`, `[::1]:5678`. */
function withoutPort(hop: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(hop)?.[1];
  if (bracketed !== undefined) return bracketed;
  return /^\d+\.\d+\.\d+\.\d+:\d+$/.test(hop) ? hop.slice(0, hop.indexOf(':')) : hop;
}

export function subscriberOf(address: string): string {
  if (!address.includes(':') || isIP(address) !== 6) return address;
  const [lead = '', tail] = address.toLowerCase().split('::', 2);
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address.toLowerCase())?.[1];
  if (mapped !== undefined) return mapped;
  const leading = lead === '' ? [] : lead.split(':');
  const trailing = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = new Array<string>(Math.max(0, 8 - leading.length - trailing.length)).fill('0');
  const groups = [...leading, ...zeros, ...trailing]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16));
  return `${groups.join(':')}::/64`;
}
