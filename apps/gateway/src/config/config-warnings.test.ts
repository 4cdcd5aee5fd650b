import { expect, test } from 'bun:test';
import { readConfig } from './config-file.ts';
import { configWarnings } from './config-warnings.ts';

const network = '{ dlt: ethereum, networkId: a, chainId: 1, nodes: [{ nodeId: a, url: "https://node.example" }] }';

function warnings(parts: Readonly<Record<string, string>>): string[] {
  const all = {
    identity: '{ issuer: https://login.example, audience: a }',
    keys: '{ peppers: ["0123456789-0123456789-0123456789"] }',
    networks: `[${network}]`,
    ...parts,
  };
  const text = Object.entries(all).map(([key, value]) => `${key}: ${value}\n`);
  const loaded = readConfig(text.join(''), {});
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return configWarnings(loaded.config).map(({ path, message }) => `${path}: ${message}`);
}

test('a sound configuration has none', () => {
  expect(
    warnings({ server: '{ host: 0.0.0.0, publicUrl: https://rpc.example, trustedProxies: [10.0.0.0/8] }' }),
  ).toEqual([]);
  expect(warnings({})).toEqual([]);
});

test.each([
  ['server', '{ trustedProxies: [10.0.0.1, 0.0.0.0/0] }', 'server.trustedProxies[1]: trusts'],
  ['server', '{ trustedProxies: ["::/0"] }', 'server.trustedProxies[0]: trusts'],
  ['server', '{ host: 0.0.0.0 }', 'server.publicUrl: is missing'],
  ['server', '{ publicUrl: http://rpc.example }', 'server.publicUrl: is plain http'],
  ['server', '{ publicUrl: https://rpc.example/ }', 'server.publicUrl: ends with a slash'],
  ['server', '{ publicUrl: https://user:hunter2@rpc.example }', 'server.publicUrl: contains a user'],
  ['identity', '{ issuer: http://login.example, allowInsecureIssuer: true }', 'identity.allowInsecureIssuer: lets'],
  ['identity', '{ issuer: https://login.example }', 'identity.audience: is the default'],
  [
    'identity',
    '{ issuer: https://login.example, audience: a, jwksUri: https://u@keys.example }',
    'identity.jwksUri: contains a user',
  ],
  ['keys', '{ peppers: ["0123456789-0123456789-0123456789 "] }', 'keys.peppers[0]: begins or ends'],
  ['flow', '{ facilitatorUrl: https://u:hunter2@pay.example }', 'flow.facilitatorUrl: contains a user'],
  ['networks', '[]', 'networks: is empty'],
  [
    'networks',
    `[${network.replace('}] }', '}], routing: { hedge: { afterMs: p95 } } }')}]`,
    'networks[0].routing.hedge: has no effect',
  ],
  [
    'networks',
    `[${network}, ${network.replace('networkId: a', 'networkId: b').replace('nodeId: a', 'nodeId: b')}]`,
    'networks[1].chainId: is also that of networks[0]',
  ],
  [
    'networks',
    `[${network.replace('https://', 'https://user:hunter2@')}]`,
    'networks[0].nodes[0].url: contains a user',
  ],
])('%s: %s is legal and unwise', (key, value, warning) => {
  const found = warnings({ [key]: value });
  expect(found).toEqual([expect.stringContaining(warning)]);
  expect(found.join()).not.toContain('hunter2');
});
