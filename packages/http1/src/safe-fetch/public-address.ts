/**
 * Whether an address is on the public internet. Users must not make the gateway connect to any other address
 * (docs/decisions/0030).
 */

import { isIP } from 'node:net';
import { createAddressRanges } from './address-ranges.ts';

/** IPv4 space that is not globally reachable (IANA's IPv4 Special-Purpose Address Registry), and space that is public in name only. */
const privateIpv4 = createAddressRanges([
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by carriers; metadata of one cloud
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // metadata of one cloud, in public space
  '169.254.0.0/16', // link-local; metadata of most clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments; metadata of one cloud
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
]);

/**
 * All assigned global unicast space. It excludes loopback, link-local, site-local, ULA, multicast, discard-only, and every form that embeds an IPv4 address:
 * compatible, mapped, NAT64 (RFC 6052, 8215).
 */
const globalIpv6 = createAddressRanges(['2000::/3']);
const privateIpv6 = createAddressRanges([
  '2001::/23', // Teredo, ORCHID, benchmarking, protocol assignments
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: carries an IPv4 address
  '3fff::/20', // documentation
]);

/** False also for texts that are not an address, and for addresses with a zone. */
export function isPublicAddress(address: string): boolean {
  if (address.includes('%')) return false;
  switch (isIP(address)) {
    case 4:
      return !privateIpv4.holds(address);
    case 6:
      return globalIpv6.holds(address) && !privateIpv6.holds(address);
    default:
      return false;
  }
}
