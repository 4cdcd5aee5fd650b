import { expect, test } from 'bun:test';
import { createRouter } from './router.ts';

function router() {
  const made = createRouter<string>();
  for (const path of [
    '/rpc',
    '/rpc/{apiKey?}',
    '/users/me/api-keys',
    '/users/me/api-keys/{keyId}',
    '/dlts/{dlt}/networks/{networkId}/rpc',
    '/dlts/{dlt}/nodes/{nodeId}/rpc',
    '/apps/{appId/2}',
    '/apps/{appId/2}/versions',
    '/files',
    '/files/list',
    '/files/{path*}',
  ])
    made.add(path, path);
  return made;
}

test.each([
  ['/rpc', '/rpc', {}],
  ['/rpc/', '/rpc/{apiKey?}', { apiKey: '' }],
  ['/rpc/fk_1.2', '/rpc/{apiKey?}', { apiKey: 'fk_1.2' }],
  ['/rpc/%66k', '/rpc/{apiKey?}', { apiKey: 'fk' }],
  ['/rpc/a%2Fb', '/rpc/{apiKey?}', { apiKey: 'a/b' }],
  ['/dlts/ethereum/networks/dev/rpc', '/dlts/{dlt}/networks/{networkId}/rpc', { dlt: 'ethereum', networkId: 'dev' }],
  ['/dlts/__proto__/nodes/n/rpc', '/dlts/{dlt}/nodes/{nodeId}/rpc', { dlt: '__proto__', nodeId: 'n' }],
  ['/users/me/api-keys/%F0%9F%94%91', '/users/me/api-keys/{keyId}', { keyId: '🔑' }],
  ['/apps/acme/pay', '/apps/{appId/2}', { appId: 'acme/pay' }],
  ['/apps/acme%2fpay', '/apps/{appId/2}', { appId: 'acme/pay' }],
  ['/apps/acme/pay/versions', '/apps/{appId/2}/versions', { appId: 'acme/pay' }],
  ['/apps/acme%2Fpay/versions', '/apps/{appId/2}/versions', { appId: 'acme/pay' }],
  ['/apps/acme/versions', '/apps/{appId/2}', { appId: 'acme/versions' }],
  ['/files', '/files', {}],
  ['/files/', '/files/{path*}', { path: '' }],
  ['/files/list', '/files/list', {}],
  ['/files/a', '/files/{path*}', { path: 'a' }],
  ['/files/a//b/%2e%2e/c', '/files/{path*}', { path: 'a//b/%2e%2e/c' }],
  ['/apps/acme%2Fversions/versions', '/apps/{appId/2}/versions', { appId: 'acme/versions' }],
])('%s leads to %s', (path, endpoint, params) => {
  expect(router().find(path)).toEqual({ endpoint, params });
});

test.each([
  '',
  '/',
  '//rpc',
  '/rpc//',
  '/rpc/a/b',
  '/RPC',
  '/%72pc',
  '/users/me/api-keys/',
  '/users//api-keys',
  '/dlts//networks/dev/rpc',
  '/rpc/%',
  '/rpc/%zz',
  '/rpc/%c3%28',
  '/constructor',
  '/__proto__',
  '/apps/acme',
  '/apps/acme/',
  '/apps//pay',
  '/apps/acme/a%2Fb',
  '/apps/acme%2Fpay/more',
  '/files/list/a',
])('%p matches no endpoint', (path) => {
  expect(router().find(path)).toBeUndefined();
});

test('two endpoints at one path, or two names for one parameter, are an error at start', () => {
  expect(() => router().add('/rpc', 'again')).toThrow();
  expect(() => router().add('/rpc/{key}', 'other name')).toThrow();
});
