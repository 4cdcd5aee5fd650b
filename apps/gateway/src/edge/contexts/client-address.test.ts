import { expect, test } from 'bun:test';
import { createAddressRanges } from '@flowgate/http1/safe-fetch/address-ranges';
import { clientAddress } from './client-address.ts';

const trusted = createAddressRanges(['10.0.0.0/8', '::1']);

test.each<[string, string | null, string]>([
  ['203.0.113.9', null, '203.0.113.9'],
  ['203.0.113.9', '1.2.3.4', '203.0.113.9'],
  ['10.0.0.1', '1.2.3.4', '1.2.3.4'],
  ['10.0.0.1', '9.9.9.9, 1.2.3.4', '1.2.3.4'],
  ['10.0.0.1', '1.2.3.4, 10.9.9.9', '1.2.3.4'],
  ['10.0.0.1', '1.2.3.4:5678', '1.2.3.4'],
  ['10.0.0.1', '1.2.3.4,', '10.0.0.1'],
  ['10.0.0.1', ',10.9.9.9', '10.9.9.9'],
  ['10.0.0.1', '10.1.1.1,10.2.2.2 ,\t10.3.3.3', '10.1.1.1'],
  ['10.0.0.1', ',', '10.0.0.1'],
  ['10.0.0.1', 'nonsense', '10.0.0.1'],
  ['10.0.0.1', '6.6.6.6, nonsense', '10.0.0.1'],
  ['10.0.0.1', '', '10.0.0.1'],
  ['10.0.0.1', null, '10.0.0.1'],
  ['::1', '[2001:db8:1:2:3::4]:99', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff::1', null, '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::1', null, '2001:db8:1:2::/64'],
  ['::ffff:203.0.113.9', null, '203.0.113.9'],
  ['::ffff:10.1.1.1', '1.2.3.4', '1.2.3.4'],
  ['::1', null, '0:0:0:0::/64'],
])(
  'peer %s forwarding for %p is attributed to %s (contract/limits#invalid-credentials)',
  (peer, forwarded, expected) => {
    expect(clientAddress(peer, forwarded, trusted)).toBe(expected);
  },
);
