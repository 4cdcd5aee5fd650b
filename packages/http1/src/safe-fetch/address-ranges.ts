/**
 * IP addresses and CIDR ranges, based on the runtime's BlockList, which also recognizes an IPv4 address mapped into
 * IPv6.
 */

import { BlockList, isIP } from 'node:net';

type AddressRange = { readonly address: string; readonly prefix: number; readonly family: 'ipv4' | 'ipv6' };

/** `10.0.0.0/8`, `::1`: undefined when it is neither an address nor a range. */
export function addressRange(text: string): AddressRange | undefined {
  const slash = text.indexOf('/');
  const address = slash < 0 ? text : text.slice(0, slash);
  const version = isIP(address);
  if (version === 0 || address.includes('%')) return undefined;
  const bits = version === 4 ? 32 : 128;
  if (slash < 0) return { address, prefix: bits, family: version === 4 ? 'ipv4' : 'ipv6' };
  const prefix = text.slice(slash + 1);
  if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > bits) return undefined;
  return { address, prefix: Number(prefix), family: version === 4 ? 'ipv4' : 'ipv6' };
}

export type AddressRanges = { readonly holds: (address: string) => boolean };

/** Throws on a text that is not a range: the configuration has checked it. */
export function createAddressRanges(texts: readonly string[]): AddressRanges {
  const list = new BlockList();
  for (const text of texts) {
    const range = addressRange(text);
    if (range === undefined) throw new Error(`not an address or range: ${text}`);
    list.addSubnet(range.address, range.prefix, range.family);
  }
  return {
    holds(address) {
      const version = isIP(address);
      return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6');
    },
  };
}
