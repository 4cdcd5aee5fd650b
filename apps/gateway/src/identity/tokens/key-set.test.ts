/** Which published keys may verify which tokens (contract/tokens#keys-of-the-issuer, RFC 7517). */

import { expect, test } from 'bun:test';
import { createSigningKey } from '../../../test/fixtures/signing-key.ts';
import { readKeySet } from './key-set.ts';
import { defaultTokenAlgorithms } from './token-algorithms.ts';

const algorithms = new Set(defaultTokenAlgorithms);
const ec = createSigningKey('ES256', 'ec');
const rsa = createSigningKey('RS256', 'rsa');
const ed = createSigningKey('EdDSA', 'ed');
const read = (...keys: readonly unknown[]) => readKeySet({ keys }, algorithms);

async function matches(jwk: object, algorithm = 'ES256', kid: string | undefined = 'ec') {
  const match = (await read(jwk))?.find(algorithm, kid);
  return typeof match === 'object' ? 'usable' : match;
}

test('a key without a use, or with the use of signing, is usable', async () => {
  for (const said of [
    {},
    { use: undefined, alg: undefined },
    { key_ops: ['verify'] },
    { key_ops: ['sign', 'verify'] },
    { ext: false },
  ])
    expect(await matches({ ...ec.jwk, ...said })).toBe('usable');
});

test('a key whose use, key_ops or alg do not allow verifying is known but unusable', async () => {
  const not = [
    { use: 'enc' },
    { use: 'SIG' },
    { use: 1 },
    { use: null },
    { key_ops: [] },
    { key_ops: ['sign'] },
    { key_ops: 'verify' },
    { alg: 'ES384' },
    { alg: 'ECDH-ES' },
    { alg: 1 },
    { alg: null },
  ];
  for (const said of not) expect(await matches({ ...ec.jwk, ...said })).toBe('unusable');
});

test('a malformed key is unusable and does not affect other keys', async () => {
  const broken = [
    { x: 'AAAA' },
    { x: undefined },
    { y: 'A'.repeat(43) },
    { crv: 'P-384' },
    { crv: 'secp256k1' },
    { crv: undefined },
    { kty: 'RSA' },
    { kty: 'oct' },
    { kty: 'AKP' },
  ];
  for (const said of broken) {
    const set = await read({ ...ec.jwk, ...said, kid: 'broken' }, ec.jwk);
    expect(set?.find('ES256', 'broken')).toBe('unusable');
    expect(set?.find('ES256', 'ec')).toBeObject();
    expect(set?.usableKeys).toBe(1);
  }
});

test('RSA keys under 2048 bits are unusable, those of 2048 and more are usable (RFC 7518, 3.3)', async () => {
  for (const [bits, expected] of [
    [1024, 'unusable'],
    [2040, 'unusable'],
    [2048, 'usable'],
    [3072, 'usable'],
  ] as const)
    expect(await matches(createSigningKey('RS256', 'rsa', bits).jwk, 'RS256', 'rsa')).toBe(expected);
});

test('an RSA key without an algorithm verifies each allowed RSA algorithm and no other', async () => {
  const set = await read({ ...rsa.jwk, alg: undefined });
  expect(set?.find('RS256', 'rsa')).toBeObject();
  expect(set?.find('PS256', 'rsa')).toBeObject();
  for (const algorithm of ['RS512', 'ES256', 'HS256', 'none', '']) expect(set?.find(algorithm, 'rsa')).toBe('unusable');
});

test('a key published with its private half is unusable: anyone could sign with it', async () => {
  for (const pair of [ec, rsa, ed])
    expect(await matches({ ...pair.jwk, ...pair.privateKey.export({ format: 'jwk' }) }, pair.algorithm, pair.kid)).toBe(
      'unusable',
    );
});

test('one kid may name keys of different algorithms, but not two that fit the same (RFC 7517, 4.5)', async () => {
  const mixed = await read({ ...ec.jwk, kid: 'same' }, { ...rsa.jwk, kid: 'same' });
  expect(mixed?.find('ES256', 'same')).toBeObject();
  expect(mixed?.find('RS256', 'same')).toBeObject();
  const twice = await read({ ...ec.jwk, kid: 'same' }, { ...createSigningKey('ES256', 'same').jwk });
  expect(twice?.find('ES256', 'same')).toBe('unusable');
});

test('a token without kid matches only a single fitting key, and a token with kid never matches a key without one', async () => {
  const set = await read({ ...ec.jwk, kid: undefined }, rsa.jwk);
  expect(set?.find('ES256', undefined)).toBeObject();
  expect(set?.find('ES256', 'ec')).toBe('absent');
  expect(set?.find('EdDSA', undefined)).toBe('absent');
  expect((await read(ec.jwk, createSigningKey('ES256', 'ec-2').jwk))?.find('ES256', undefined)).toBe('unusable');
});

test('a document without keys is no key set; a document with only unusable keys is one', async () => {
  for (const document of [
    {},
    { keys: null },
    { keys: {} },
    { keys: [] },
    { keys: [null, 1, 'x', []] },
    { keys: [{ kid: 'x' }] },
    { keys: [{ ...ec.jwk, kid: 1 }] },
  ])
    expect(await readKeySet(document, algorithms)).toBeUndefined();
  const symmetric = await read({ kty: 'oct', kid: 'shared', k: 'AAAA', alg: 'HS256' });
  expect(symmetric?.usableKeys).toBe(0);
  expect(symmetric?.find('RS256', 'shared')).toBe('unusable');
});
