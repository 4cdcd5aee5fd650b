import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { createSecretSearch, maskSecrets, maskSecretsInJson } from './mask-secrets.ts';

const find = createSecretSearch(['S3cret/Value', 'pa"ss\\word', '12345678', 'abcd']);

test('a secret is found in JSON with any escapes, and the JSON still parses to the other content', () => {
  const escaped = (text: string, choice: readonly number[]) =>
    [...text]
      .map((one, at) => {
        const hex = one.charCodeAt(0).toString(16).padStart(2, '0');
        const spellings = [
          JSON.stringify(one).slice(1, -1),
          `\\u00${hex}`,
          `%${hex}`,
          one.toUpperCase() === one ? `%${hex.toUpperCase()}` : one.toUpperCase(),
        ];
        return spellings[choice[at % choice.length] ?? 0] ?? one;
      })
      .join('');
  const choices = fc.array(fc.nat(3), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(choices, fc.string(), fc.string(), (choice, before, after) => {
      const [head, tail] = [JSON.stringify(`${before} `).slice(1, -1), JSON.stringify(` ${after}`).slice(1, -1)];
      const masked = maskSecretsInJson(`{"data":["${head}${escaped('S3cret/Value', choice)}${tail}"]}`, find);
      expect(JSON.parse(masked)).toEqual({ data: [expect.stringContaining(' *** ')] });
    }),
  );
});

test('JSON stays JSON: numbers with a long secret become strings, unmasked names stay, and no match extends beyond a string', () => {
  expect(maskSecretsInJson('{"a":[12345678,1234,123456789.5,true]}', find)).toBe('{"a":["***",1234,"***",true]}');
  expect(maskSecretsInJson('{"abcd":1,"x":"abcd"}', find, ['abcd'])).toBe('{"abcd":1,"x":"***"}');
  expect(maskSecretsInJson('{"abcd":1}', find)).toBe('{"***":1}');
  const over = createSecretSearch(['one","two']);
  expect(maskSecretsInJson('["one","two","one\\",\\"two"]', over)).toBe('["one","two","***"]');
});

test('short secrets are masked as words only, and secrets below the minimum length not at all', () => {
  expect(maskSecrets('abcd xabcd abcdx abcd-', find)).toBe('*** xabcd abcdx ***-');
  expect(maskSecrets('abc', createSecretSearch(['abc']))).toBe('abc');
});

test('overlapping secrets are both masked completely', () => {
  expect(maskSecrets('<abcdefghijklmnop>', createSecretSearch(['abcdefghij', 'fghijklmnop']))).toBe('<***>');
});
