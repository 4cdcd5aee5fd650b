import { expect, test } from 'bun:test';
import { isKeepableRequestId, shownPath } from './shown-secret.ts';

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
])('%s is shown as %s, %s (decisions 2)', (path, lastSegmentIsKey, shown) => {
  expect(shownPath(path, lastSegmentIsKey)).toBe(shown);
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
])('a request id of %p is kept: %p (decisions 2)', (id, kept) => {
  expect(isKeepableRequestId(id)).toBe(kept);
});
