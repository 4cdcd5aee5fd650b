/** The development provider over HTTP: its tokens, its restart, and the protection of its pages. */
import { expect, test } from 'bun:test';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { cleanupAfterEach } from '../test/cleanups.ts';
import { type IdentityProviderOptions, startIdentityProvider } from './identity-provider.ts';
import { signIn } from './sign-in.ts';

const cleanups = cleanupAfterEach();

async function start(options: IdentityProviderOptions = {}) {
  const provider = await startIdentityProvider(options);
  cleanups.add(provider.stop);
  return provider;
}

function verify(token: string, issuer: string) {
  const keys = createRemoteJWKSet(new URL(`${issuer}/jwks`));
  return jwtVerify(token, keys, { issuer, audience: 'flowgate', requiredClaims: ['sub', 'exp'] });
}

test('the token of a signed-in user verifies against the published keys with issuer, audience, subject and expiry (contract/tokens)', async () => {
  const { issuer } = await start({ accessTokenTtlSeconds: 600 });
  const { payload, protectedHeader } = await verify(await signIn({ issuer, user: 'alice' }), issuer);
  expect(payload).toMatchObject({ sub: 'alice', roles: [] });
  expect(Number(payload.exp) - Number(payload.iat)).toBe(600);
  expect(protectedHeader.alg).toBe('ES256');
});

test('only the admin user’s token contains the role admin (contract/tokens#claims)', async () => {
  const { issuer } = await start();
  const { payload } = await verify(await signIn({ issuer, user: 'admin' }), issuer);
  expect(payload).toMatchObject({ sub: 'admin', roles: ['admin'] });
});

test('a user that the provider does not know gets no token', async () => {
  const { issuer } = await start();
  await expect(signIn({ issuer, user: 'mallory' })).rejects.toThrow('did not sign in "mallory"');
});

test('after a rotation new tokens have a new key id and earlier tokens still verify', async () => {
  const provider = await start();
  const before = await signIn({ issuer: provider.issuer, user: 'alice' });
  await provider.rotateKeys();
  const after = await signIn({ issuer: provider.issuer, user: 'alice' });
  expect(decodeProtectedHeader(after).kid).not.toBe(decodeProtectedHeader(before).kid);
  await verify(before, provider.issuer);
  await verify(after, provider.issuer);
});

test('a rotation that drops the earlier keys invalidates their tokens', async () => {
  const provider = await start();
  const before = await signIn({ issuer: provider.issuer, user: 'alice' });
  await provider.rotateKeys({ keepOld: false });
  await expect(verify(before, provider.issuer)).rejects.toThrow('no applicable key found');
});

test('tokens outlive a restart, because the signing keys are stored in a file that only its owner can read (contract/running#development)', async () => {
  const keysFile = join(cleanups.directory(), 'keys.json');
  const first = await startIdentityProvider({ keysFile });
  const token = await signIn({ issuer: first.issuer, user: 'alice' });
  await first.stop();
  const second = await start({ keysFile, port: first.port });
  await verify(token, second.issuer);
  expect(statSync(keysFile).mode & 0o777).toBe(0o600);
});

test('a person chooses a user on a page marked for development and gets a token and a curl line', async () => {
  const { issuer } = await start({ gatewayUrl: 'http://127.0.0.1:1234' });
  const cookies = new Map<string, string>();
  const visit = async (url: string, form?: URLSearchParams): Promise<{ url: string; html: string }> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const post = form === undefined ? {} : { method: 'POST', body: form };
    const response = await fetch(url, { redirect: 'manual', headers: { cookie }, ...post });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    return location === null ? { url, html: await response.text() } : visit(new URL(location, url).href);
  };
  const home = await visit(`${issuer}/`);
  expect(home.html).toContain('href="/sign-in"');
  const choice = await visit(`${issuer}/sign-in`);
  for (const text of ['Development only', '<html lang="en">', 'value="alice"', 'value="admin"']) {
    expect(choice.html).toContain(text);
  }
  const { html } = await visit(choice.url, new URLSearchParams({ user: 'admin' }));
  const token = /<textarea id="token"[^>]*>([^<]+)</.exec(html)?.[1] ?? '';
  expect((await verify(token, issuer)).payload.sub).toBe('admin');
  expect(html).toContain('curl -s -X POST http://127.0.0.1:1234/users/me/api-keys');
});

test('a request under another host name is refused, as a protection against DNS rebinding', async () => {
  const { issuer } = await start();
  const response = await fetch(`${issuer}/`, { headers: { Host: 'attacker.example' } });
  expect(response.status).toBe(421);
});

test('the development provider does not start with NODE_ENV=production', async () => {
  await expect(startIdentityProvider({ nodeEnv: 'production' })).rejects.toThrow('NODE_ENV=production');
});

test('a stopped provider frees its port', async () => {
  const { port, stop } = await startIdentityProvider();
  await stop();
  expect((await start({ port })).port).toBe(port);
});
