import { expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { createSealer } from './sealed-text.ts';

const [old, fresh] = ['the-old-pepper-0123456789abcdefghij', 'the-new-pepper-0123456789abcdefghij'];
const context = 'flow-version acme/pay@1.0.0';
const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';

test('what was sealed is opened, and the sealed text is another one each time and holds nothing of it', () => {
  const sealer = createSealer([old], randomBytes);
  const sealed = [sealer.seal(secret, context), sealer.seal(secret, context)];
  expect(new Set(sealed).size).toBe(2);
  for (const each of sealed) {
    expect(each).toMatch(/^s1\.[0-9a-f]{12}\.[A-Za-z0-9_-]+$/);
    expect(each).not.toContain('C2FV');
    expect(sealer.open(each, context)).toBe(secret);
  }
  for (const text of ['', 'Ünïcödé 🔑', 'x'.repeat(10_000)])
    expect(sealer.open(sealer.seal(text, context), context)).toBe(text);
});

test('a sealed text opens for what it was sealed for and nothing else', () => {
  const sealer = createSealer([old], randomBytes);
  const sealed = sealer.seal(secret, context);
  for (const other of ['', 'flow-version acme/pay@1.0.1', `${context} `])
    expect(sealer.open(sealed, other)).toBeUndefined();
});

test('a sealed text that was changed anywhere, cut or is none does not open', () => {
  const sealer = createSealer([old], randomBytes);
  const sealed = sealer.seal(secret, context);
  // The last character of base64url may hold bits that stand for nothing.
  const changed = Array.from(sealed.slice(0, -1), (character, at) =>
    sealed.slice(0, at).concat(character === 'A' ? 'B' : 'A', sealed.slice(at + 1)),
  );
  expect(changed.filter((each) => sealer.open(each, context) !== undefined)).toEqual([]);
  for (const text of ['', 's1.', secret, sealed.slice(0, -3), `${sealed.slice(0, 16)}AAAA`, ` ${sealed}`])
    expect(sealer.open(text, context)).toBeUndefined();
});

test('the first pepper seals and all open: peppers rotate without losing a secret (contract/running)', () => {
  const before = createSealer([old], randomBytes);
  const during = createSealer([fresh, old], randomBytes);
  const after = createSealer([fresh], randomBytes);
  const kept = before.seal(secret, context);
  expect(during.open(kept, context)).toBe(secret);
  expect(after.open(kept, context)).toBeUndefined();
  expect(after.open(during.seal(secret, context), context)).toBe(secret);
  expect(() => createSealer([], randomBytes)).toThrow('pepper');
});
