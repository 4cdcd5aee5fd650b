/** Tokens that must be accepted, and the callers that they describe (contract/tokens, RFC 7519). */

import { afterAll, expect, test } from 'bun:test';
import { createManualClock } from '@flowgate/testing/manual-clock';
import { endAll } from '@flowgate/testing/raw-http1-server';
import { openSafeFetch } from '@flowgate/testing/safe-fetch';
import { startFakeIssuer } from '../../../test/fixtures/issuer.ts';
import { createSigningKey, signToken, type TokenOptions, tokenOfLength } from '../../../test/fixtures/signing-key.ts';
import type { Verification } from '../keys/verification.ts';
import { supportedTokenAlgorithms } from './token-algorithms.ts';
import { createTokenVerifier, type TokenVerifierOptions } from './token-verifier.ts';

const clock = createManualClock();
const nowSeconds = clock.now() / 1000;
const issuer = await startFakeIssuer();
const key = issuer.key();
const rsaPair = createSigningKey('RS256', 'rsa');
const rsa = { ...rsaPair, jwk: { ...rsaPair.jwk, alg: undefined } };
const ed = createSigningKey('EdDSA', 'ed');
issuer.publish([key.jwk, rsa.jwk, ed.jwk]);
const common: TokenVerifierOptions = {
  issuer: issuer.issuer,
  audience: 'flowgate',
  rolesClaim: 'roles',
  request: openSafeFetch().request,
  clock,
  fetchTimeoutMs: 10_000,
  patienceMs: 10_000,
};
const verifier = createTokenVerifier(common);

afterAll(async () => {
  verifier.close();
  endAll();
  await issuer.close();
});

const good = { iss: issuer.issuer, aud: 'flowgate', sub: 'user-1', exp: nowSeconds + 600 };
const token = (deps: Partial<TokenOptions> = {}) => signToken({ key, payload: good, ...deps });
const claims = (changed: Readonly<Record<string, unknown>>) => token({ payload: { ...good, ...changed } });
const user = (userId: string, roles: readonly string[] = []): Verification => ({
  kind: 'valid',
  caller: { userId, via: 'token', roles },
});

test('a token signed by the issuer gives its subject as the caller, without roles', async () => {
  expect(await verifier.verify(token())).toEqual(user('user-1'));
});

test('every algorithm of the default list is accepted, also with a JWK without an algorithm (contract/tokens#algorithms)', async () => {
  for (const signing of [key, rsa, ed, { ...rsa, algorithm: 'PS256' }])
    expect(await verifier.verify(token({ key: signing }))).toEqual(user('user-1'));
});

test('every algorithm that may be configured verifies', async () => {
  for (const algorithm of supportedTokenAlgorithms) {
    const signing = /^[RP]S/.test(algorithm) ? { ...rsa, algorithm } : createSigningKey(algorithm, algorithm);
    issuer.publish([signing.jwk]);
    const single = createTokenVerifier({ ...common, algorithms: [algorithm] });
    expect(await single.verify(token({ key: signing }))).toEqual(user('user-1'));
    expect(await single.verify(token({ key: algorithm === 'ES256' ? ed : key }))).toEqual({ kind: 'invalid' });
    single.close();
  }
  issuer.publish([key.jwk, rsa.jwk, ed.jwk]);
});

test('a symmetric or unknown algorithm cannot be configured', () => {
  for (const algorithm of ['HS256', 'none', 'toString', ''])
    expect(() => createTokenVerifier({ ...common, algorithms: ['RS256', algorithm] })).toThrow(RangeError);
});

test('a token without kid is verified by the only key that fits its algorithm (OpenID Connect Core 10.1)', async () => {
  for (const signing of [key, ed, rsa])
    expect(await verifier.verify(token({ key: signing, header: { kid: undefined } }))).toEqual(user('user-1'));
});

test('access tokens and plain JWTs are accepted, however their typ is spelled (RFC 7515, 4.1.9; RFC 9068)', async () => {
  for (const typ of ['JWT', 'jwt', 'at+jwt', 'AT+JWT', 'application/at+jwt', undefined])
    expect(await verifier.verify(token({ header: { typ } }))).toEqual(user('user-1'));
});

test('irrelevant header members are ignored (RFC 7515, 4)', async () => {
  expect(await verifier.verify(token({ header: { x5t: 'AAAA', custom: { deep: ['x'] } } }))).toEqual(user('user-1'));
});

test('a clock difference below 30 s is tolerated (contract/tokens)', async () => {
  for (const times of [
    { exp: nowSeconds - 29.999 },
    { nbf: nowSeconds + 30 },
    { nbf: nowSeconds, iat: nowSeconds + 3600 },
    { exp: nowSeconds + 0.5 },
  ])
    expect(await verifier.verify(claims(times))).toEqual(user('user-1'));
});

test('a token in use expires 30 s after exp by the wall clock', async () => {
  const wall = createManualClock();
  const timed = createTokenVerifier({ ...common, clock: wall });
  const short = claims({ exp: wall.now() / 1000 + 60 });
  wall.advance(89_999);
  expect(await timed.verify(short)).toEqual(user('user-1'));
  wall.advance(1);
  expect(await timed.verify(short)).toEqual({ kind: 'invalid' });
  timed.close();
});

test('the audience may be one of several (RFC 7519, 4.1.3)', async () => {
  for (const aud of [['flowgate'], ['other', 'flowgate']])
    expect(await verifier.verify(claims({ aud }))).toEqual(user('user-1'));
});

test('roles are an array of strings; any other value gives no roles to the caller', async () => {
  expect(await verifier.verify(claims({ roles: ['admin', 'auditor'] }))).toEqual(user('user-1', ['admin', 'auditor']));
  for (const roles of [
    'admin',
    null,
    1,
    { admin: true },
    { 0: 'admin', length: 1 },
    [['admin']],
    ['admin', 1],
    [],
    undefined,
  ])
    expect(await verifier.verify(claims({ roles }))).toEqual(user('user-1'));
});

test('the roles claim is one whole name with any characters, and never a path', async () => {
  for (const rolesClaim of [
    'https://example.com/roles',
    'realm_access.roles',
    'cognito:groups',
    '__proto__',
    'constructor',
  ]) {
    const named = createTokenVerifier({ ...common, rolesClaim });
    const text = `${JSON.stringify(good).slice(0, -1)},${JSON.stringify(rolesClaim)}:["admin"]}`;
    expect(await named.verify(token({ payload: text }))).toEqual(user('user-1', ['admin']));
    expect(await named.verify(claims({ roles: ['admin'], realm_access: { roles: ['admin'] } }))).toEqual(
      user('user-1'),
    );
    named.close();
  }
});

test('a subject of up to 255 characters is used unchanged', async () => {
  for (const sub of ['x'.repeat(255), 'auth0|5f7c8ec7', 'Ünï-cødé 🙂', ' blank ', '__proto__', '0'])
    expect(await verifier.verify(claims({ sub }))).toEqual(user(sub));
});

test('names may repeat below the top level, and look like syntax inside strings', async () => {
  const odd = {
    address: { sub: 'other', iss: 'x' },
    list: [{ sub: 1 }, { sub: 2 }],
    text: '","sub":"user-2\\"',
    '"key': '}',
  };
  expect(await verifier.verify(claims(odd))).toEqual(user('user-1'));
});

test('a token of exactly 8 KiB is accepted (contract/tokens)', async () => {
  expect(await verifier.verify(tokenOfLength(8192, { key, payload: good }))).toEqual(user('user-1'));
});
