import { expect, test } from 'bun:test';
import { createRedactor } from '@flowgate/telemetry/redaction/redactor';
import { readConfig } from './config-file.ts';
import { configSecrets } from './config-secrets.ts';

test('peppers, passwords, node addresses, provider keys and node headers are hidden wherever they turn up (contract/conventions)', () => {
  const loaded = readConfig(
    `
identity: { issuer: http://127.0.0.1:9000, jwksUri: "https://keys.example.com/jwks?code=jwks-secret" }
flow: { facilitatorUrl: "https://payer:facilitator-secret@pay.example.com/", contentFilter: { classifier: { url: "https://c.example.com/?token=classifier-token", secret: "classifier-secret-0123456789" } } }
keys: { peppers: [pepper-one-0123456789] }
storage: { database: "postgres://flowgate:p%40ss%25word@db/flowgate", redis: "redis://:redis-secret@cache:6379" }
networks:
  - dlt: ethereum
    networkId: mainnet
    chainId: 1
    nodes: [{ nodeId: a, url: "https://user:userinfo-secret@node.example.com/v3/0123456789abcdef0123", headers: { X-Auth: header-secret } }]
`,
    {},
  );
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  const hide = createRedactor(configSecrets(loaded.config));
  for (const secret of [
    'pepper-one-0123456789',
    'p%40ss%25word',
    'p@ss%word',
    'redis-secret',
    '?code=jwks-secret',
    'facilitator-secret',
    'classifier-secret-0123456789',
    '?token=classifier-token',
    'userinfo-secret',
    '0123456789abcdef0123',
    'header-secret',
  ])
    expect(hide(`sent: ${secret}.`)).toBe('sent: ***.');
});
