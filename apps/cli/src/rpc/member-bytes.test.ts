import { expect, test } from 'bun:test';
import { type Chance, chanceFrom } from '@flowgate/testing/seeded-chance';
import { MemberBytes } from './member-bytes.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** The members of `text` when it arrives in chunks of random sizes. */
function membersIn(text: string, chance: Chance) {
  const found: Record<string, string> = {};
  const decoder = new TextDecoder();
  const reader = new MemberBytes((name, bytes) => {
    found[name] = (found[name] ?? '') + decoder.decode(bytes);
  });
  const bytes = bytesOf(text);
  for (let at = 0; at < bytes.length; ) {
    const end = at + 1 + chance(7);
    reader.feed(bytes.subarray(at, end));
    at = end;
  }
  return { found, whole: reader.whole() };
}

function valueFrom(chance: Chance, depth = 0): unknown {
  const text = () => ['result', 'error":', '}', '\\', '"', ',[', 'a\nb', ''][chance(8)];
  switch (chance(depth > 3 ? 4 : 6)) {
    case 0:
      return chance(1_000);
    case 1:
      return null;
    case 2:
      return chance(2) === 1;
    case 3:
      return text();
    case 4:
      return Array.from({ length: chance(4) }, () => valueFrom(chance, depth + 1));
    default:
      return Object.fromEntries(Array.from({ length: chance(4) }, () => [text(), valueFrom(chance, depth + 1)]));
  }
}

test('members of an answer are returned byte for byte for random chunks of 500 random answers', () => {
  const chance = chanceFrom(14);
  for (let round = 0; round < 500; round++) {
    const answer = { jsonrpc: '2.0', id: round, result: valueFrom(chance) };
    const { found, whole } = membersIn(JSON.stringify(answer, undefined, chance(3)), chance);
    expect(whole).toBe('object');
    expect(JSON.parse(found['"result"'] ?? '')).toEqual(answer.result);
    expect(Object.keys(found)).toEqual(['"jsonrpc"', '"id"', '"result"']);
  }
});

test('in a batch, only the members of each answer are reported, without nested members', () => {
  const chance = chanceFrom(15);
  const batch = [
    { id: 1, result: { error: 'no' } },
    { id: 2, result: ['error', { error: 1 }] },
  ];
  const names = (value: unknown) => Object.keys(membersIn(JSON.stringify(value), chance).found);
  expect(names(batch)).toEqual(['"id"', '"result"']);
  expect(names([...batch, { id: 3, error: { code: 1 } }])).toEqual(['"id"', '"result"', '"error"']);
  expect(membersIn(JSON.stringify(batch), chance).whole).toBe('array');
});

test('a text that ends early or is not JSON is incomplete and does not throw', () => {
  const chance = chanceFrom(16);
  const text = '{"id":1,"result":{"a":["}"]}}';
  for (let end = 0; end < text.length; end++) expect(membersIn(text.slice(0, end), chance).whole).toBeUndefined();
  for (const rubbish of ['<html>', '}}}}', '"', '[[[', ']', '', '{"a"', `{"${'x'.repeat(1_000)}":1}}`, '{{{{]]]]'])
    expect(membersIn(rubbish, chance).whole).toBeUndefined();
});

test('nothing is reported after the first byte that is not JSON', () => {
  const { found } = membersIn('{"id":1],"result":2}', chanceFrom(17));
  expect(found['"result"']).toBeUndefined();
});
