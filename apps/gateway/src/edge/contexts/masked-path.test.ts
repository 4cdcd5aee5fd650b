import { expect, test } from 'bun:test';
import { isSafeRequestId, maskedPath } from './masked-path.ts';

const secret = 's'.repeat(49);
const key = `fk_0123456789abcdef.${secret}`;
const token = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl';

test.each([
  [`/rpc/${key}`, true, '/rpc/fk_0123456789abcdef.***'],
  [`/rpc/%66%6B%5f0123456789abcdef%2E${secret}`, true, '/rpc/fk_0123456789abcdef.***'],
  ['/rpc/hunter2', true, '/rpc/***'],
  [`/rpc/${token}`, true, '/rpc/***'],
  ['/rpc/', true, '/rpc/***'],
  [`/rcp/${key}`, false, '/rcp/fk_0123456789abcdef.***'],
  [`/users/${token}`, false, '/users/***'],
  ['/users/a%2Fb/%66oo', false, '/users/a%2Fb/%66oo'],
])('%s is shown as %s, %s (contract/conventions#secrets)', (path, lastSegmentIsKey, shown) => {
  expect(maskedPath(path, lastSegmentIsKey)).toBe(shown);
});

test.each([
  ['a', true],
  ['A-Z_a.z0', true],
  ['x'.repeat(128), true],
  ['x'.repeat(129), false],
  ['', false],
  ['a b', false],
  ['a/b', false],
  [key, false],
  [`trace-${key}`, false],
  [token, false],
])(
  'a request id of %p is used: %p (contract/conventions#request-ids, contract/bounds#sizes: a request id)',
  (id, isUsed) => {
    expect(isSafeRequestId(id)).toBe(isUsed);
  },
);

test('only the beginning of a long path is shown and searched, and a credential cut in the middle is masked', () => {
  const long = `/a/${'x'.repeat(20_000)}`;
  expect(maskedPath(long, false)).toBe(`${long.slice(0, 1_024)}…`);
  expect(maskedPath(long, true)).toBe('/a/***…');
  for (let at = 940; at < 1_040; at++) {
    const shown = maskedPath(`/${'x'.repeat(at)}/${key}/${token}${'/y'.repeat(1_000)}`, false);
    expect(shown).not.toContain('.ss');
    expect(shown).not.toContain('.eyJ');
    expect(shown.length).toBeLessThanOrEqual(1_100);
  }
});
