import { expect, test } from 'bun:test';
import { plainJson, plainLines, plainText } from './plain-text.ts';

const every = Array.from({ length: 0x3000 }, (_, code) => String.fromCharCode(code)).join('');

test('control, invisible and direction-changing characters are removed (command-line#output)', () => {
  expect(plainText(every).replaceAll(/[\u200c\u200d]/g, '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  expect(plainText('\u001b]52;c;AAAA\u0007\ud800 \u2066x')).toBe('�]52;c;AAAA�� �x');
  expect(plainText('naïve 日本 👩‍🚀')).toBe('naïve 日本 👩‍🚀');
});

test('a text of several lines retains line breaks and tabs', () => {
  expect(plainLines('a\tb\r\nc\u001b[1A\rd')).toBe('a\tb\nc�[1A�d');
});

test('JSON retains its value without characters that control a terminal', () => {
  const value = { [every]: every, text: '\u{e0001}\u009b' };
  const json = plainJson(JSON.stringify(value));
  expect(json).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  expect(JSON.parse(json)).toEqual(value);
});
