import { expect, test } from 'bun:test';
import { VerifiedSignatures } from './verified-signatures.ts';

async function newKey() {
  const { publicKey } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ]);
  return publicKey;
}

test('a signature is verified once for each pair of token and key', async () => {
  const [key, other] = [await newKey(), await newKey()];
  const signatures = new VerifiedSignatures();
  let verified = 0;
  const once = async (by: CryptoKey, token: string) => {
    const before = verified;
    await signatures.once(by, token, async () => {
      verified += 1;
    });
    return verified - before;
  };
  expect([await once(key, 'a.b.c'), await once(key, 'a.b.c')]).toEqual([1, 0]);
  expect([await once(key, 'a.b.d'), await once(other, 'a.b.c'), await once(other, 'a.b.c')]).toEqual([1, 1, 0]);
});

test('a refused signature is verified again and refused again', async () => {
  const signatures = new VerifiedSignatures();
  const key = await newKey();
  for (let round = 0; round < 3; round++) {
    const [outcome] = await Promise.allSettled([signatures.once(key, 'forged', () => Promise.reject(new Error('no')))]);
    expect(outcome.status).toBe('rejected');
  }
});

test('the tokens of one key are bounded: the oldest are evicted', async () => {
  const signatures = new VerifiedSignatures();
  const key = await newKey();
  let verified = 0;
  const verify = async () => {
    verified += 1;
  };
  for (let token = 0; token <= 10_000; token++) await signatures.once(key, String(token), verify);
  await signatures.once(key, '10000', verify);
  await signatures.once(key, '1', verify);
  expect(verified).toBe(10_001);
  await signatures.once(key, '0', verify);
  expect(verified).toBe(10_002);
});

test('concurrent tokens of a new key are all cached', async () => {
  const signatures = new VerifiedSignatures();
  const key = await newKey();
  let verified = 0;
  const verify = async () => {
    verified += 1;
    await Promise.resolve();
  };
  const tokens = ['a.b.1', 'a.b.2', 'a.b.3'];
  for (let round = 0; round < 2; round++) await Promise.all(tokens.map((token) => signatures.once(key, token, verify)));
  expect(verified).toBe(tokens.length);
});
