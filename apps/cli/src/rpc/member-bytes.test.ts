import { expect, test } from 'bun:test';
import { type Chance, chanceFrom } from '@flowgate/testing/seeded-chance';
import { createMemberBytes } from './member-bytes.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** What comes out when `text` comes in pieces of random sizes. */
function membersIn(text: string, depth: 1 | 2, chance: Chance) {
  const found: Record<string, string> = {};
  const decoder = new TextDecoder();
  const reader = createMemberBytes(depth, (name, bytes) => {
    found[name] = (found[name] ?? '') + decoder.decode(bytes);
  });
  const bytes = bytesOf(text);
  for (let at = 0; at < bytes.length; ) {
    const end = at + 1 + chance(7);
    reader.feed(bytes.subarray(at, end));
    at = end;
  }
  return { found, isWhole: reader.isWhole() };
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

test('members of an answer come out byte for byte, however its text is cut, for 500 random answers', () => {
  const chance = chanceFrom(14);
  for (let round = 0; round < 500; round++) {
    const answer = { jsonrpc: '2.0', id: round, result: valueFrom(chance) };
    const { found, isWhole } = membersIn(JSON.stringify(answer, undefined, chance(3)), 1, chance);
    expect(isWhole).toBe(true);
    expect(JSON.parse(found['result'] ?? '')).toEqual(answer.result);
    expect(Object.keys(found)).toEqual(['jsonrpc', 'id', 'result']);
  }
});

test('of a batch, the members of each answer are found, and nothing inside of them', () => {
  const chance = chanceFrom(15);
  const batch = [
    { id: 1, result: { error: 'no' } },
    { id: 2, result: ['error', { error: 1 }] },
  ];
  expect(Object.keys(membersIn(JSON.stringify(batch), 2, chance).found)).toEqual(['id', 'result']);
  const failed = [...batch, { id: 3, error: { code: 1 } }];
  expect(Object.keys(membersIn(JSON.stringify(failed), 2, chance).found)).toEqual(['id', 'result', 'error']);
});

test('a text that ends early is not whole; what is no JSON throws nothing', () => {
  const chance = chanceFrom(16);
  const text = '{"id":1,"result":{"a":["}"]}}';
  for (let end = 0; end < text.length; end++) expect(membersIn(text.slice(0, end), 1, chance).isWhole).toBe(false);
  for (const rubbish of ['<html>', '}}}}', '"', '[[[', ']', '', '{"a"', `{"${'x'.repeat(1_000)}":1}`, '{{{{]]]]'])
    expect(() => membersIn(rubbish, 1, chance)).not.toThrow();
});
