import { expect, test } from 'bun:test';
import { createPrivateHosts } from '@flowgate/http1/safe-fetch/url-vetting';
import { addressOf, createAddressDigests } from './node-address.ts';
import { checkNodeUrl, type NodeUrlRules } from './node-url.ts';
import { maskedUrl } from './node-wire.ts';

const key = 'abcdefghijklmnop';
const rules: NodeUrlRules = {
  providers: [
    { providerId: 'alchemy', name: 'Alchemy', domains: ['alchemy.com'] },
    { providerId: 'here', name: 'Here', domains: ['localhost', '127.0.0.1', '[::1]', '::ffff:7f00:1', '10.1.2.3'] },
    { providerId: 'far', name: 'Far', domains: ['93.184.216.34'] },
  ],
  isPrivateAllowed: createPrivateHosts([]),
};
const problemsOf = (url: string, more: Partial<NodeUrlRules> = {}) =>
  checkNodeUrl(url, 'public', { ...rules, ...more }).problems;

/** Spellings of local and private addresses, at a domain that is approved by mistake or not at all. */
const hosts = [
  ...['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '0x7f.0.0.1', '127.0.0.1.', '127.000.000.001'],
  ...['[::1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:0:0:1]', '[64:ff9b::7f00:1]', '[fd00::1]'],
  ...['[fe80::1%25eth0]', '[::]', '0', '0.0.0.0', '10.1.2.3', '169.254.169.254', '100.100.100.200', '192.168.1.1'],
  ...[
    'localhost',
    'localhost.',
    'LOCALHOST',
    'a.localhost',
    '①②⑦.0.0.1',
    '127。0。0。1',
    '%31%32%37.0.0.1',
    'ⓛocalhost',
  ],
];
test.each(hosts)('a public node at %s is refused, regardless of approved providers (contract/nodes#rules)', (host) => {
  expect(problemsOf(`https://${host}/${key}`)?.join()).toMatch(/^url must/);
});

test.each([
  `https://alchemy.com@127.0.0.1/${key}`,
  `https://127.0.0.1#@alchemy.com/${key}`,
  `https://127.0.0.1?@alchemy.com/${key}`,
  `https://127.0.0.1\\@alchemy.com/${key}`,
  `https://127.0.0.1%2f@alchemy.com/${key}`,
  `https:127.0.0.1/${key}`,
  `https:///127.0.0.1/${key}`,
  `https:/\\127.0.0.1/${key}`,
  `//alchemy.com/${key}`,
  `https://alchemy.com:443@evil.com/${key}`,
  `https://alchemy.com\t.evil.com/${key}`,
  `https://alchemy.com\n/${key}`,
  ` https://alchemy.com/${key}`,
  `https://alchemy.com%00.evil.com/${key}`,
  `https://alchemy.com:22/${key}`,
  `https://alchemy.com:/${key}`,
  `https://-alchemy.com/${key}`,
  `https://alchemy.com．evil.com/${key}`,
  `https://xalchemy.com/${key}`,
  `https://alchemy.com.evil.com/${key}`,
  `javascript://alchemy.com/${key}`,
  `gopher://alchemy.com/${key}`,
  `file:///etc/passwd/${key}`,
  `ws://alchemy.com/${key}`,
])('%j is refused, because parsers could disagree on its host (contract/nodes#rules)', (url) => {
  expect(problemsOf(url)?.length).toBeGreaterThan(0);
});

test.each([
  [`https://alchemy.com/${key}`, 'alchemy'],
  [`https://ETH-mainnet.G.Alchemy.com/v2/${key}`, 'alchemy'],
  [`HTTPS://alchemy.com:443/${key}`, 'alchemy'],
  [`https://alchemy.com/a/${key}.-_~/b/`, 'alchemy'],
  [`https://93.184.216.34/${key}`, 'far'],
])('%s is a public node of the provider %s', (url, providerId) => {
  expect(checkNodeUrl(url, 'public', rules)).toEqual({ url: new URL(url), providerId });
});

test('an allowed host is exempt from the rules on scheme, port and address only (contract/nodes#rules)', () => {
  const isPrivateAllowed = createPrivateHosts(['127.0.0.1', '[::1]:8545']);
  for (const url of [`http://127.0.0.1:8545/${key}`, `https://127.0.0.1/${key}`, `http://[::1]:8545/${key}`])
    expect(problemsOf(url, { isPrivateAllowed })).toBeUndefined();
  expect(problemsOf(`http://[::1]:8546/${key}`, { isPrivateAllowed })).toHaveLength(3);
  expect(problemsOf('http://127.0.0.1/short', { isPrivateAllowed })).toEqual([expect.stringContaining('key')]);
  expect(problemsOf(`http://u@127.0.0.1/${key}?a#b`, { isPrivateAllowed })).toHaveLength(3);
  expect(problemsOf(`http://127.0.0.1/${key}`, { isPrivateAllowed, providers: [] })).toEqual([
    expect.stringContaining('approved provider'),
  ]);
});

test('a private node may have any address, and all other rules apply (contract/nodes#private-nodes)', () => {
  for (const url of ['http://10.0.0.7:8545', 'http://geth:8545/', 'https://[fd00::1]/rpc', 'http://localhost/'])
    expect(checkNodeUrl(url, 'private', rules)).toEqual({
      url: new URL(url),
      ...(url.includes('localhost') ? { providerId: 'here' } : {}),
    });
  for (const url of [
    'http://u:p@geth/',
    'http://geth/?key=1',
    'http://geth/#x',
    'ftp://geth/',
    'http://0x7f.1/',
    'geth:8545',
  ])
    expect(checkNodeUrl(url, 'private', rules).problems?.join()).toMatch(/^url must/);
});

test('all spellings of an address have one digest, and another network or path has another (contract/nodes#duplicates)', () => {
  const digestsOf = createAddressDigests(['pepper one', 'pepper two']);
  const of = (url: string, networkId = 'dev') => digestsOf({ dlt: 'ethereum', networkId, url: new URL(url) });
  const plain = of(`https://a.alchemy.com/v2/${key}`);
  for (const url of [
    `https://A.Alchemy.COM/v2/${key}`,
    `https://a.alchemy.com:443/v2/${key}/`,
    `https://a.alchemy.com/x/../v2/${key}//`,
    `https://a.alchemy.com/%762/${key}`,
  ])
    expect(of(url)).toEqual(plain);
  const others = [
    of(`https://a.alchemy.com/v2/${key}`, 'test'),
    of(`https://a.alchemy.com/V2/${key}`),
    of(`https://b.alchemy.com/v2/${key}`),
    of(`http://a.alchemy.com/v2/${key}`),
    of(`https://a.alchemy.com:8443/v2/${key}`),
    of(`https://a.alchemy.com/v2%2F${key}`),
    createAddressDigests(['pepper three'])({
      dlt: 'ethereum',
      networkId: 'dev',
      url: new URL(`https://a.alchemy.com/v2/${key}`),
    }),
  ];
  expect(new Set([plain, ...others].map(([first]) => first)).size).toBe(others.length + 1);
  expect(
    createAddressDigests(['pepper two'])({
      dlt: 'ethereum',
      networkId: 'dev',
      url: new URL(`https://a.alchemy.com/v2/${key}`),
    })[0],
  ).toBe(plain[1] ?? '');
  expect(addressOf({ dlt: 'e', networkId: 'n', url: new URL('https://a.b/%2f%41') })).toBe('e n a.b 443 /%2FA');
});

test.each([
  [`https://eth-mainnet.g.alchemy.com/v2/${key}`, 'https://eth-mainnet.g.alchemy.com/v2/***'],
  [`https://a.quiknode.pro/${key}/`, 'https://a.quiknode.pro/***/'],
  ['https://go.getblock.io/mainnet/x', 'https://go.getblock.io/mainnet/***'],
  ['http://geth:8545/', 'http://geth:8545/'],
  ['https://u:p@a.example/rpc/12?key=1#f', 'https://a.example/rpc/***'],
])('%s is shown as %s (contract/nodes#visibility-of-urls)', (url, shown) => {
  expect(maskedUrl(url)).toBe(shown);
});
