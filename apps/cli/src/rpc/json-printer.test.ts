import { expect, test } from 'bun:test';
import { chanceFrom } from '@flowgate/testing/seeded-chance';
import { createOutput } from '../output/output.ts';
import { createJsonPrinter } from './json-printer.ts';

async function printed(json: string, { isTerminal, isResult }: { isTerminal: boolean; isResult: boolean }) {
  const pieces: Uint8Array[] = [];
  const sink = {
    write: async (text: string | Uint8Array) =>
      void pieces.push(typeof text === 'string' ? new TextEncoder().encode(text) : text.slice()),
    isTerminal,
    columns: undefined,
  };
  const output = createOutput({
    stdout: sink,
    stderr: sink,
    isJson: () => false,
    isPlain: () => true,
    environment: {},
  });
  const printer = createJsonPrinter(output, isResult);
  const chance = chanceFrom(json.length);
  const bytes = new TextEncoder().encode(json);
  for (let at = 0; at < bytes.length; ) {
    const end = at + 1 + chance(5);
    await printer.write(bytes.subarray(at, end));
    at = end;
  }
  await printer.end();
  return Buffer.concat(pieces).toString();
}

const values = [
  '{"a":[1,{"b":"x,y:{\\"z\\""}],"empty":{},"none":[],"日":"本"}',
  '[]',
  '12345678901234567890123',
  'null',
  ' [1,\n2] ',
];

test('a terminal shows the same value, indented, with all digits', async () => {
  for (const json of values) {
    const shown = await printed(json, { isTerminal: true, isResult: true });
    expect(JSON.parse(shown)).toEqual(JSON.parse(json));
  }
  expect(await printed('{"a":[1,{}],"b":[]}', { isTerminal: true, isResult: true })).toBe(
    '{\n  "a": [\n    1,\n    {}\n  ],\n  "b": []\n}\n',
  );
  expect(await printed('[12345678901234567890123]', { isTerminal: true, isResult: true })).toContain(
    '12345678901234567890123',
  );
});

test('a program gets the unchanged bytes, and a string result without its quotes', async () => {
  for (const json of values) expect(await printed(json, { isTerminal: false, isResult: false })).toBe(`${json}\n`);
  expect(await printed('"0x10"', { isTerminal: false, isResult: true })).toBe('0x10\n');
  expect(await printed(' "a\\nb" ', { isTerminal: false, isResult: true })).toBe('a\nb\n');
  expect(await printed('"0x10"', { isTerminal: false, isResult: false })).toBe('"0x10"\n');
  expect(await printed('"cut', { isTerminal: false, isResult: true })).toBe('"cut\n');
});

test('no value controls the terminal, for any chunk boundaries', async () => {
  const hostile = '"\u009b2J\u202e\u007f"';
  for (const isResult of [true, false])
    for (const json of [hostile, `[${hostile}]`, `{${hostile}:${hostile}}`, '"\\u001b[2J"', '\u001b[2J<html>'])
      expect((await printed(json, { isTerminal: true, isResult })).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});
