import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { maskTokens } from './mask-tokens.ts';

const token = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl';
const [header, payload, signature] = token.split('.');

test.each([
  [token, '*'],
  [`a ${token} b ${token}`, 'a * b *'],
  [`{"error":"\\n${token}\\n"}`, '{"error":"\\n*\\n"}'],
  [`${header}.${payload}`, '*'],
  [`${header}.${payload}.`, '*'],
  [`${header}.opaque-part`, '*'],
  [`access_${token}`, 'access_*'],
  [`x${token}`, 'x*'],
  [`xeyJ-${token}`, 'x*'],
  [`xeyJ-${header}.opaque`, 'xeyJ-*'],
  [`eyJ.${token}`, 'eyJ.*'],
  [`eyJshort.${header}`, `eyJshort.${header}`],
  [`${header}..${signature}`, `${header}..${signature}`],
  ['keyJournalEntries.ts', 'keyJournalEntries.ts'],
  ['', ''],
])('%p is shown as %p', (text, shown) => {
  expect(maskTokens(text, '*')).toBe(shown);
});

test('in random text no token remains that an exhaustive pattern would find', () => {
  const pieces = fc.constantFrom('eyJ', 'eyJhbGciOiJF', '.', '-', 'x', ' ', '\\', 'n', payload ?? '');
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
      const masked = maskTokens(parts.join(''), '*');
      expect(masked).not.toMatch(/\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]/);
    }),
    { numRuns: 2_000 },
  );
});
