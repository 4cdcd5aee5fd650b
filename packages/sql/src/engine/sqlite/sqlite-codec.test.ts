import { expect, test } from 'bun:test';
import { type Chance, chanceFrom } from '@flowgate/testing/seeded-chance';
import type { SqlValue, Statement } from '../database.ts';
import { decodeReplies, encodeReplies, RequestDecoder, RequestEncoder } from './sqlite-codec.ts';
import type { WorkerReply, WorkerRequest } from './sqlite-messages.ts';

const oddTexts = ['', '"', '\\', '\0', '\ud800', '\u2028', 'é😀', '__proto__', '0', 'null', '[1]', 'x'.repeat(70_000)];

function someValue(chance: Chance): SqlValue {
  const kinds: readonly SqlValue[] = [null, 0, -1, 1.5, 2 ** 53 - 1, -(2 ** 53 - 1)];
  return chance(2) === 0 ? (kinds[chance(kinds.length)] ?? null) : (oddTexts[chance(oddTexts.length)] ?? '');
}

function someStatement(chance: Chance, mayBeIdle = true): Statement {
  // Many more texts than the codec caches, some of them too long for its cache.
  const text = `SELECT ${chance(3) === 0 ? chance(4_000) : chance(20)} ${chance(40) === 0 ? '-'.repeat(9_000) : ''}`;
  const values = Array.from({ length: chance(5) }, () => someValue(chance));
  return mayBeIdle && chance(4) === 0 ? { text, values, idleUnless: someStatement(chance, false) } : { text, values };
}

function someRequest(chance: Chance): WorkerRequest {
  return {
    slot: chance(5_000) - 1,
    writes: chance(2) === 0,
    hasLongDeadline: chance(2) === 0,
    usesReserve: chance(2) === 0,
    isLostWithPower: chance(2) === 0,
    statements: Array.from({ length: chance(4) }, () => someStatement(chance)),
    ...(chance(2) === 0 ? { onlyIf: someStatement(chance) } : {}),
  };
}

test('requests arrive unchanged, small or large, with texts that are new, known or evicted', () => {
  const chance = chanceFrom(7);
  const encoder = new RequestEncoder();
  const decoder = new RequestDecoder();
  const forms = new Set<string>();
  for (let round = 0; round < 2_000; round++) {
    const requests = Array.from({ length: chance(4) }, () => someRequest(chance));
    const encoded = encoder.encode(requests);
    forms.add(typeof encoded);
    expect(decoder.decode(structuredClone(encoded))).toEqual(requests);
  }
  expect([...forms].sort()).toEqual(['object', 'string']);
});

test('a text is sent once: afterwards its number is sent, in a fraction of the bytes', () => {
  const encoder = new RequestEncoder();
  const statement = { text: `SELECT ${'x, '.repeat(500)} 1`, values: [1] };
  const sent = () => JSON.stringify(encoder.encode([{ slot: 1, writes: false, statements: [statement] }])).length;
  const first = sent();
  expect(first).toBeGreaterThan(statement.text.length);
  expect(sent()).toBeLessThan(40);
});

test('replies arrive unchanged, small or large', () => {
  const chance = chanceFrom(11);
  for (let round = 0; round < 500; round++) {
    const replies = Array.from({ length: chance(4) }, (_, slot): WorkerReply => {
      if (chance(5) === 0)
        return { slot, failure: 'unavailable', message: oddTexts[chance(5)] ?? '', mayBeStored: chance(2) === 0 };
      const rows = () =>
        Array.from({ length: chance(3) }, () => ({ ['__proto__']: someValue(chance), some: someValue(chance) }));
      return { slot, rows: Array.from({ length: chance(3) }, rows) };
    });
    expect(decodeReplies(structuredClone(encodeReplies(replies)))).toEqual(replies);
  }
});
