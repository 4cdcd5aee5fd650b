import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test';
import { createTimerWheel } from '@flowgate/async/timer-wheel';
import { TurnBudget } from '@flowgate/async/turn-budget';
import { systemClock } from '@flowgate/base/clock';
import { createSafeFetch, type SafeFetch } from './safe-fetch.ts';

/** Every spelling of this machine's address must be tried at the port on which it listens. */
let listener: Bun.TCPSocketListener<undefined>;
let connections = 0;
const asked: string[] = [];
let safeFetch: SafeFetch;

/** Public-looking names and the addresses to which an attacker lets them resolve. */
const zone: Readonly<Record<string, readonly string[]>> = {
  '127.0.0.1.nip.io': ['127.0.0.1'],
  'localtest.me': ['127.0.0.1'],
  'www.localtest.me': ['::1'],
  'metadata.example.com': ['169.254.169.254'],
  'mapped.example.com': ['::ffff:127.0.0.1'],
  'mapped-hex.example.com': ['::ffff:7f00:1'],
  'nat64.example.com': ['64:ff9b::7f00:1'],
  '6to4.example.com': ['2002:7f00:1::'],
  'teredo.example.com': ['2001:0:7f00:1::1'],
  'any.example.com': ['0.0.0.0'],
  'any6.example.com': ['::'],
  'ula.example.com': ['fd00:ec2::254'],
  'zone.example.com': ['fe80::1%lo'],
  'both.example.com': ['93.184.216.34', '127.0.0.1'],
  'both6.example.com': ['2606:4700::1111', '::1'],
  'odd.example.com': ['not an address'],
  'short.example.com': ['127.1'],
  'allowed.example.evil.com': ['127.0.0.1'],
};

beforeAll(() => {
  listener = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      open: (peer) => {
        connections++;
        peer.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
      },
      data() {},
      error() {},
    },
  });
});
beforeEach(() => {
  connections = 0;
  asked.length = 0;
  safeFetch = createSafeFetch({
    allowPrivateHosts: ['allowed.example'],
    timerWheel: createTimerWheel(systemClock, 5),
    clock: systemClock,
    turns: new TurnBudget(systemClock),
    async resolve(hostname) {
      asked.push(hostname);
      return hostname === 'allowed.example' ? ['127.0.0.1'] : (zone[hostname] ?? []);
    },
  });
});
afterEach(() => safeFetch.close());
afterAll(() => {
  listener.stop(true);
});

const names = Object.keys(zone);
const hosts = [
  // loopback in the spellings that inet_aton and URL parsers understand
  ...['127.0.0.1', '127.1', '127.0.1', '127.255.255.254', '2130706433', '0x7f000001', '0x7F.1', '0x7f.0x0.0x0.0x1'],
  ...[
    '0177.0.0.1',
    '017700000001',
    '0177.0x0.0.1',
    '00000000000000000000177.1',
    '127.0.0.1.',
    '127.1.',
    '0',
    '0.0.0.0',
    '0x0',
  ],
  ...[
    '127。0。0。1',
    '１２７.0.0.1',
    '①②⑦.⓪.⓪.①',
    '127%2e0%2e0%2e1',
    '%31%32%37.0.0.1',
    '127.0.0.1%00',
    '127.0.0.1%23.example.com',
  ],
  ...[
    'localhost',
    'LOCALHOST',
    'localhost.',
    'ｌocalhost',
    'loc%61lhost',
    'a.localhost',
    'a.b.localhost',
    'localhost.localdomain',
  ],
  // loopback in IPv6
  ...[
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::]',
    '[::127.0.0.1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::ffff:0:127.0.0.1]',
    '[0:0:0:0:0:ffff:127.0.0.1]',
  ],
  ...[
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::7f00:1]',
    '[2002:7f00:1::]',
    '[2001::7f00:1]',
    '[fe80::1%25lo]',
    '[fe80::1%lo]',
    '[::1%25lo]',
  ],
  // private networks and metadata services
  ...[
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '0xa9fea9fe',
    '2852039166',
    '0251.0376.0251.0376',
    '169.254.43518',
  ],
  ...[
    '100.100.100.200',
    '192.0.0.192',
    '168.63.129.16',
    '[fd00:ec2::254]',
    '[::ffff:169.254.169.254]',
    '[fec0::1]',
    '[ff02::1]',
    '255.255.255.255',
  ],
  ...[
    'metadata.google.internal',
    'metadata',
    'kubernetes.default.svc.cluster.local',
    'vault.internal',
    'router.home.arpa',
    'x.onion',
  ],
  // one host before the at sign, another one behind it
  ...[
    'example.com@127.0.0.1',
    'user:pass@127.0.0.1',
    'allowed.example@127.0.0.1',
    'allowed.example:80@127.0.0.1',
    '127.0.0.1@example.com',
    '@example.com',
    'allowed.example%40127.0.0.1',
  ],
  // look-alikes of the allowed host
  ...[
    'allowed.example.',
    'allowed.example.evil.com',
    'allowed-example',
    'x.allowed.example.local',
    'ALLOWED.EXAMPLE',
    'аllowed.example',
    'allowed.example\\@127.0.0.1',
  ],
  ...names,
];

/** Texts that do not consist of a scheme, a host and a port. */
const odd = (port: number) => [
  ...[
    `http://127.0.0.1:${port}/`,
    `http://example.com:${port}/`,
    `HTTP://127.0.0.1:${port}/`,
    `https:127.0.0.1:${port}/`,
    `https:/127.0.0.1:${port}/`,
  ],
  ...[
    `https:\\\\127.0.0.1:${port}\\`,
    `https:///127.0.0.1:${port}/`,
    `//127.0.0.1:${port}/`,
    `127.0.0.1:${port}`,
    `ht\ntps://127.0.0.1:${port}/`,
  ],
  ...[
    ` https://127.0.0.1:${port}/`,
    `https://127.0.0.1:${port}/\r\nHost: x`,
    `https://127.0.\t0.1:${port}/`,
    `https://example.com\t@127.0.0.1:${port}/`,
  ],
  ...[
    `file:///etc/passwd`,
    `gopher://127.0.0.1:${port}/_x`,
    `ws://127.0.0.1:${port}/`,
    `data:,x`,
    `unix:/var/run/x.sock`,
    `javascript:1`,
    '',
  ],
  ...[
    'https://example.com:22/',
    'https://example.com:25/',
    'https://example.com:6379/',
    'https://example.com:0/',
    'https://example.com:99999/',
    'https://example.com:+443/',
  ],
];

test('more than a hundred hostile spellings are refused, and no connection is made (contract/networks#catalog)', async () => {
  const { port } = listener;
  const urls = [...hosts.flatMap((host) => [`https://${host}:${port}/`, `https://${host}/`]), ...odd(port)];
  expect(hosts.length + odd(port).length).toBeGreaterThan(120);
  for (const url of urls) {
    const reply = await safeFetch.request({
      url,
      tenant: 'test',
      method: 'GET',
      headers: {},
      timeoutMs: 2_000,
      maxBytes: 100,
    });
    expect([url, reply]).toMatchObject([url, { ok: false, failure: 'forbidden', sent: false }]);
    expect(reply.ok ? '' : reply.detail).not.toMatch(/\d+\.\d+|::|example|localhost/);
  }
  expect(connections).toBe(0);
  expect(safeFetch.stats()).toEqual({ origins: 0, open: 0 });
  // Only names that can be decided by their address alone were resolved. The additional one is the allowed host in
  // capitals, which differs from its allowed spelling.
  expect([...new Set(asked)].sort()).toEqual([...names, 'allowed.example'].sort());
});

test('the same server is reached under the name that the operator allowed: refusals are not caused by a missing server', async () => {
  const url = `http://allowed.example:${listener.port}/`;
  const reply = await safeFetch.request({
    url,
    tenant: 'test',
    method: 'GET',
    headers: {},
    timeoutMs: 5_000,
    maxBytes: 100,
  });
  expect(reply).toMatchObject({ ok: true, status: 200 });
  expect(connections).toBe(1);
});
