import { expect, test } from 'bun:test';
import type { HeaderReader } from './header-reader.ts';
import { type Presented, presentedCredential, presentedInPath, presentedOnRpc } from './presented-credential.ts';

const key = (raw: string): Presented => ({ kind: 'api-key', raw });
const token = (raw: string): Presented => ({ kind: 'token', raw });
const missing: Presented = { kind: 'missing' };
const malformed: Presented = { kind: 'malformed' };

function head(fields: [string, string][]): HeaderReader {
  const headers = new Headers(fields);
  return { header: (name) => headers.get(name) };
}

test.each<[string, [string, string][], Presented]>([
  ['nothing', [], missing],
  ['a key', [['X-API-Key', 'fk_a']], key('fk_a')],
  ['the name in any case', [['x-aPi-KEY', 'fk_a']], key('fk_a')],
  [
    'an empty key is missing, even beside a token',
    [
      ['X-API-Key', ''],
      ['Authorization', 'Bearer t'],
    ],
    missing,
  ],
  [
    'the key before the token',
    [
      ['X-API-Key', 'fk_a'],
      ['Authorization', 'Bearer t'],
    ],
    key('fk_a'),
  ],
  [
    'a bad key before a good token: nothing falls back',
    [
      ['X-API-Key', 'nonsense'],
      ['Authorization', 'Bearer t'],
    ],
    key('nonsense'),
  ],
  [
    'the same key twice',
    [
      ['X-API-Key', 'fk_a'],
      ['X-API-Key', 'fk_a'],
    ],
    key('fk_a'),
  ],
  [
    'two keys stay joined, which is no key',
    [
      ['X-API-Key', 'fk_a'],
      ['X-API-Key', 'fk_b'],
    ],
    key('fk_a, fk_b'),
  ],
  [
    'two empty keys',
    [
      ['X-API-Key', ''],
      ['X-API-Key', ''],
    ],
    missing,
  ],
  ['a token', [['Authorization', 'Bearer abc.def.ghi']], token('abc.def.ghi')],
  ['the scheme in any case', [['Authorization', 'bEARER t']], token('t')],
  ['a key as bearer', [['Authorization', 'Bearer fk_a']], key('fk_a')],
  ['two blanks', [['Authorization', 'Bearer  fk_a']], malformed],
  ['a tab', [['Authorization', 'Bearer\tfk_a']], malformed],
  ['quotes', [['Authorization', 'Bearer "fk_a"']], malformed],
  ['no scheme', [['Authorization', 'fk_a']], malformed],
  ['another scheme', [['Authorization', 'Basic YTpi']], malformed],
  ['scheme alone', [['Authorization', 'Bearer']], malformed],
  ['two parts', [['Authorization', 'Bearer a b']], malformed],
  [
    'two headers',
    [
      ['Authorization', 'Bearer a'],
      ['Authorization', 'Bearer b'],
    ],
    malformed,
  ],
  ['an empty header', [['Authorization', '']], missing],
])('%s (contract/credentials; contract/credentials#which-one-counts)', (_, headers, expected) => {
  expect(presentedCredential(head(headers))).toEqual(expected);
});

test.each<[string, [string, string][], Presented]>([
  ['a token is no credential', [['Authorization', 'Bearer abc.def.ghi']], missing],
  ['nor is a malformed header', [['Authorization', 'Bearer  fk_a']], missing],
  ['a key as bearer is one', [['Authorization', 'Bearer fk_a']], key('fk_a')],
  ['a token in X-API-Key is an invalid key', [['X-API-Key', 'abc.def.ghi']], key('abc.def.ghi')],
])('on JSON-RPC %s (contract/credentials#which-one-counts)', (_, headers, expected) => {
  expect(presentedOnRpc(head(headers))).toEqual(expected);
});

test('a key in the path alone decides; an empty one is missing', () => {
  expect(presentedInPath('fk_a')).toEqual(key('fk_a'));
  expect(presentedInPath('')).toEqual(missing);
});
