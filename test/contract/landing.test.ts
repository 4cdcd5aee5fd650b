/**
 * The responses of the gateway's root path and of mistyped paths, for people and programs
 * (contract/conventions#the-bare-address).
 */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { expectStandardError } from '../../apps/gateway/test/fixtures/answers.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway({ config: { console: { enabled: false } } });
});
afterAll(() => gateway.stop());

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

describe('the root path', () => {
  test('without a console, a browser gets a page with a sign-in, the reference and a first call, which runs and loads nothing else', async () => {
    const answer = await gateway.fetch('/', { headers: { Accept: browser } });
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('vary')]).toEqual([
      200,
      'text/html; charset=utf-8',
      'Accept, Accept-Encoding',
    ]);
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    const page = await answer.text();
    for (const part of [
      `href="${gateway.issuer.issuer}"`,
      'href="/reference"',
      `${gateway.url}/rpc`,
      'users/me/api-keys',
    ])
      expect(page).toContain(part);
    expect(page).not.toContain('<script');
  });

  test('a program is directed to the OpenAPI document, and there is no console', async () => {
    for (const headers of [{}, { Accept: '*/*' }, { Accept: 'application/json' }]) {
      const answer = await gateway.fetch('/', { headers, redirect: 'manual' });
      expect([answer.status, answer.headers.get('location')]).toEqual([302, '/openapi.json']);
      expect(answer.headers.get('vary')).toContain('Accept');
    }
    for (const path of ['/console', '/console/', '/console/keys', '/console/config.json'])
      expect((await gateway.fetch(path)).status).toBe(404);
  });

  test('HEAD has the headers of GET, and there is an icon', async () => {
    const head = { method: 'HEAD', redirect: 'manual' } as const;
    expect((await gateway.fetch('/', head)).status).toBe(302);
    expect((await gateway.fetch('/', { ...head, headers: { Accept: browser } })).status).toBe(200);
    const icon = await gateway.fetch('/favicon.ico');
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
  });
});

describe('mistyped JSON-RPC paths', () => {
  const origin = 'https://wallet.example';
  const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}';

  test.each(['/rpcs', '/v1/mainnet', '/dlts/ethereum/rpc', '/dlts/ethereum/networks/dev/rpc/a/b', '/jsonrpc', '/RPC'])(
    '%s is a 404 that any page may read and that names the correct path',
    async (path) => {
      const answer = await gateway.fetch(path, { method: 'POST', headers: { Origin: origin }, body });
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      const refusal = await expectStandardError(answer, { status: 404, error: 'Not found', path });
      expect(refusal).toContain('/dlts/{dlt}/networks/{networkId}/rpc');
    },
  );

  test.each(['/', '/dlts/ethereum/networks/dev'])(
    'POST %s is a 405 that any page may read and that names the correct path',
    async (path) => {
      const answer = await gateway.fetch(path, { method: 'POST', headers: { Origin: origin }, body });
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(answer.headers.get('allow')).toContain('GET');
      const refusal = await expectStandardError(answer, { status: 405, error: 'Method not allowed', path });
      expect(refusal).toContain('JSON-RPC is at /rpc');
    },
  );

  test.each(['/rpcs', '/', '/dlts/ethereum/networks/dev'])(
    'the preflight of a POST to %s succeeds, so that a page can read the response',
    async (path) => {
      const headers = {
        Origin: origin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'x-api-key',
      };
      const answer = await gateway.fetch(path, { method: 'OPTIONS', headers });
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
      expect(answer.headers.get('access-control-allow-headers')).toContain('X-API-Key');
    },
  );

  test.each(['/users/me/nothing', '/flow/nothing', '/mcp/nothing', '/networks/x'])(
    '%s is no mistyped JSON-RPC path: only configured origins may read other routes',
    async (path) => {
      const answer = await gateway.fetch(path, { method: 'POST', headers: { Origin: origin }, body });
      expect(answer.status).toBe(404);
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    },
  );

  test('a key in a mistyped path is masked', async () => {
    const { apiKey, keyId } = await gateway.mint();
    const text = await (await gateway.fetch(`/rpcs/${apiKey}`, { method: 'POST', body })).text();
    expect(text).toContain(`fk_${keyId}.***`);
    expect(text).not.toContain(apiKey);
  });
});
