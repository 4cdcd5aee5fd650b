import { expect, test } from 'bun:test';
import { maskApiKeys } from './credential.ts';

test('a masked text never contains the secret of a key, in any spelling (contract/conventions#secrets)', () => {
  const keyId = 'Ab01'.repeat(4);
  const secret = 'xY9'.repeat(17).slice(0, 49);
  const key = { keyId, secret, raw: `fk_${keyId}.${secret}` };
  const masked = `fk_${key.keyId}.***`;
  expect(maskApiKeys(`/rpc/${key.raw}`)).toBe(`/rpc/${masked}`);
  expect(maskApiKeys(`/dlts/a/nodes/b/rpc/${key.raw}?x=${key.raw}`)).toBe(`/dlts/a/nodes/b/rpc/${masked}?x=${masked}`);
  expect(maskApiKeys(`/rpc/${key.raw.slice(0, 40)}/y`)).toBe(`/rpc/${masked}/y`);
  expect(maskApiKeys(`/rpc/fk_${key.secret}`)).toBe('/rpc/fk_***');
  for (const spelling of [
    `fk%5F${key.keyId}.${key.secret}`,
    `fk_${key.keyId}%2e${key.secret}`,
    key.raw.toLowerCase(),
    `FK_${key.keyId}.${key.secret}`,
  ]) {
    expect(maskApiKeys(`/rpc/${spelling}`).toLowerCase()).not.toContain(key.secret.slice(0, 12).toLowerCase());
  }
  expect(maskApiKeys('/users/me/api-keys')).toBe('/users/me/api-keys');
});
