import { expect, test } from 'bun:test';
import { readConfig } from './config-file.ts';

const sound = 'identity: { issuer: http://127.0.0.1 }\nkeys: { peppers: [0123456789-0123456789-0123456789] }\n';

test.each([
  ['server: { prot: 8080 }', 'server.prot: is not a known key; did you mean port?'],
  ['server: { public_url: x }', 'server.public_url: is not a known key; did you mean publicUrl?'],
  ['server: { audience: x }', 'server.audience: is not a known key; did you mean identity.audience?'],
  ['publicUrl: x', 'publicUrl: is not a known key; did you mean server.publicUrl?'],
  ['retries: 1', 'retries: is not a known key'],
  [
    'networks: [{ dlt: a, networkId: a, chainId: 1, nodes: [{ nodeID: a, url: http://127.0.0.1 }] }]',
    'networks[0].nodes[0].nodeID: is not a known key; did you mean nodeId?',
  ],
  [`server: { ${'x'.repeat(60)}: 1 }`, `server.${'x'.repeat(60)}: is not a known key`],
])('%s: the message names the key that was probably meant (contract/running#configuration)', (part, expected) => {
  const loaded = readConfig(`${sound}${part}\n`, {});
  const lines = loaded.ok ? [] : loaded.problems.map(({ path, message }) => `${path}: ${message}`);
  expect(lines).toContain(expected);
});
