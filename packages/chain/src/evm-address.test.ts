import { expect, test } from 'bun:test';
import { checksumAddress, isEvmAddress } from './evm-address.ts';

/** The examples of EIP-55. */
const checksummed = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
];

test('an address in mixed case must be its own checksum (EIP-55)', () => {
  for (const address of checksummed) {
    expect(checksumAddress(address.toLowerCase())).toBe(address);
    expect(isEvmAddress(address)).toBe(true);
    expect(isEvmAddress(address.toLowerCase())).toBe(true);
    expect(isEvmAddress(`0x${address.slice(2).toUpperCase()}`)).toBe(true);
  }
  expect(isEvmAddress('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed')).toBe(false);
  expect(isEvmAddress('0xfb6916095ca1df60bB79Ce92cE3Ea74c37c5d359')).toBe(false);
});

test('only 0x and 40 hexadecimal digits are an address', () => {
  const refused = [
    '',
    '0x',
    '0X52908400098527886e0f7030069857d2e4169ee7',
    '52908400098527886e0f7030069857d2e4169ee7',
    '0x52908400098527886e0f7030069857d2e4169ee',
    '0x52908400098527886e0f7030069857d2e4169ee77',
    '0x52908400098527886e0f7030069857d2e4169eg7',
    '0x52908400098527886e0f7030069857d2e4169ee7\n',
    'vitalik.eth',
  ];
  for (const text of refused) expect(isEvmAddress(text)).toBe(false);
});
