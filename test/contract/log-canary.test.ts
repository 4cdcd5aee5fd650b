/**
 * Sends every kind of secret to the gateway in every possible place, and checks that its log and its refusals contain
 * none (contract/conventions#secrets).
 */

import { expect, test } from 'bun:test';
import { rawRequest } from '@flowgate/testing/raw-http';
import { until } from '@flowgate/testing/until';
import { sendRaw } from '../../apps/gateway/test/fixtures/checked-raw-http.ts';
import { startFakeNode } from '../../apps/gateway/test/fixtures/fake-node.ts';
import { misbehaviors } from '../../apps/gateway/test/fixtures/issuer.ts';
import { startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import { unknownKey } from '../../apps/gateway/test/fixtures/unknown-key.ts';

const pepper = 'canary-pepper-0123456789abcdefghijklmnop';
const urlSecret = 'canary-url-secret-0123456789';
const querySecret = 'canary-query-secret-0123456789';
const headerSecret = 'canary-header-secret-0123456789';

test('neither the log nor a refusal contains a secret', async () => {
  const node = startFakeNode();
  const gone = startFakeNode();
  await gone.stop();
  const gateway = await startGateway({
    environment: { FLOWGATE_PEPPER: pepper },
    config: {
      limits: { userPerMinute: 100_000, invalidPerMinute: 100_000 },
      outbound: { nodeTimeoutSeconds: 0.2 },
      networks: [
        {
          dlt: 'a',
          networkId: 'x',
          chainId: 31337,
          default: true,
          nodes: [
            { nodeId: 'gone', url: `${gone.url}/v2/${urlSecret}` },
            { nodeId: 'n', url: `${node.url}/v2/${urlSecret}`, headers: { Authorization: headerSecret } },
          ],
        },
      ],
    },
  });
  try {
    const { apiKey, keyId } = await gateway.mint();
    const unknown = unknownKey();
    const token = gateway.token('alice');
    const forged = `${gateway.token('bob').slice(0, -6)}AAAAAA`;
    const secrets = [apiKey, unknown].map((key) => key.slice(20)).concat(pepper, urlSecret, querySecret, headerSecret);
    secrets.push(...[token, forged].flatMap((each) => each.split('.').slice(1)));

    const refusals: string[] = [];
    const ask = async (path: string, init?: RequestInit) => {
      const answer = await gateway.fetch(path, init);
      const text = await answer.text();
      if (!answer.ok) refusals.push(text, JSON.stringify([...answer.headers]));
      return answer.status;
    };
    const call = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}';
    const carriers = [apiKey, unknown, apiKey.slice(0, 60), `${apiKey}x`, token, forged];
    const bodies = [call, '{', '{}', '[]', '{"jsonrpc":"2.0","id":1,"method":"admin_peers"}', 'x'.repeat(6_000_000)];
    for (const carrier of carriers) {
      for (const body of bodies) {
        await ask(`/rpc/${encodeURIComponent(carrier)}`, { method: 'POST', body });
        await ask('/rpc', { method: 'POST', body, headers: { 'X-API-Key': carrier } });
      }
      for (const path of [
        `/rpc/${carrier}`,
        `/rpc/${carrier}/more`,
        `/${carrier}`,
        `/flow/${carrier}`,
        `/rpc?key=${querySecret}`,
      ])
        await ask(path);
      await ask(`/dlts/a/networks/nowhere/rpc/${carrier}`, { method: 'POST', body: call });
      for (const path of ['/users/me/id', '/users/me/api-keys', `/users/me/api-keys?cursor=${carrier}&limit=x`]) {
        await ask(path, { headers: { 'X-API-Key': carrier } });
        await ask(path, { headers: { Authorization: `Bearer ${carrier}` } });
        await ask(path, { headers: { Authorization: carrier } });
        await ask(path, { headers: { Authorization: `Basic ${carrier}` } });
      }
      // The gateway returns the id that the caller chose, so only the log line is checked, not the response.
      await gateway.fetch('/users/me/id', { headers: { 'X-Request-Id': carrier } });
    }
    for (const rubbish of ['rubbish', '<html>', '{"jsonrpc":"2.0","id":1,"error":"x"}']) {
      node.behave(() => new Response(`${rubbish}${urlSecret}`, { status: 500, headers: { 'X-Secret': headerSecret } }));
      expect(await ask(`/rpc/${apiKey}`, { method: 'POST', body: call })).toBe(502);
    }
    node.behave(() => new Promise(() => {}));
    expect(await ask(`/rpc/${apiKey}`, { method: 'POST', body: call })).toBe(502);
    await sendRaw(gateway.port, rawRequest(`POST /rpc/${apiKey} HTTP/9.9`, ['Host: gateway', `X-API-Key: ${apiKey}`]));
    gateway.issuer.behave(misbehaviors['answering 500']);
    gateway.issuer.rotate();
    expect(await ask('/users/me/id', { headers: { Authorization: `Bearer ${gateway.token('carol')}` } })).toBe(503);
    await ask('/users/me/id', { headers: { 'X-Request-Id': 'the-last-request' } });
    await until('the log is written', () => gateway.output().includes('the-last-request'));

    const log = gateway.output();
    expect(log).toContain(`fk_${keyId}.***`);
    expect(log).toContain('"event":"node.failed"');
    expect(secrets.filter((secret) => log.includes(secret))).toEqual([]);
    expect(refusals.length).toBeGreaterThan(100);
    expect(secrets.filter((secret) => refusals.some((text) => text.includes(secret)))).toEqual([]);
  } finally {
    await gateway.stop();
    await node.stop();
  }
});
