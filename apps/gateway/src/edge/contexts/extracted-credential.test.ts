import { expect, test } from 'bun:test';
import {
  credentialInHeaders,
  credentialInPath,
  type ExtractedCredential,
  rpcCredential,
} from './extracted-credential.ts';
import type { HeaderReader } from './header-reader.ts';

const key = (raw: string): ExtractedCredential => ({ kind: 'api-key', raw });
const token = (raw: string): ExtractedCredential => ({ kind: 'token', raw });
const missing: ExtractedCredential = { kind: 'missing' };
const malformed: ExtractedCredential = { kind: 'malformed' };

function head(fields: [string, string][]): HeaderReader {
  const headers = new Headers(fields);
  return { header: (name) => headers.get(name) };
}

test.each<[string, [string, string][], ExtractedCredential]>([
  ['nothing', [], missing],
  ['a key', [['X-API-Key', 'fk_a']], key('fk_a')],
  ['the name in any case', [['x-aPi-KEY', 'fk_a']], key('fk_a')],
  [
    'an empty key is missing, even with a token',
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
    'an invalid key and a valid token: the key decides',
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
    'two different keys are joined, which is an invalid key',
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
  expect(credentialInHeaders(head(headers))).toEqual(expected);
});

test.each<[string, [string, string][], ExtractedCredential]>([
  ['a token does not count', [['Authorization', 'Bearer abc.def.ghi']], missing],
  ['a malformed header does not count', [['Authorization', 'Bearer  fk_a']], missing],
  ['a key as bearer counts', [['Authorization', 'Bearer fk_a']], key('fk_a')],
  ['a token in X-API-Key is an invalid key', [['X-API-Key', 'abc.def.ghi']], key('abc.def.ghi')],
])('on JSON-RPC %s (contract/credentials#which-one-counts)', (_, headers, expected) => {
  expect(rpcCredential(head(headers))).toEqual(expected);
});

test('only the key in the path decides; an empty one is missing', () => {
  expect(credentialInPath('fk_a')).toEqual(key('fk_a'));
  expect(credentialInPath('')).toEqual(missing);
});
