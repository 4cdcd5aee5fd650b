/** `dev.env`, which users may edit: no content of the file prevents a start. */
import { expect, test } from 'bun:test';
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanupAfterEach } from '../test/cleanups.ts';
import { readSavedKey, writeDevEnv } from './dev-env.ts';

const key = `fk_${'a'.repeat(16)}.${'b'.repeat(49)}`;
const entries = {
  url: 'http://127.0.0.1:8080',
  nodeProviderUrl: 'http://127.0.0.1:9300/v2',
  token: 'a.b.c',
  apiKey: key,
};

const { directory: newDirectory } = cleanupAfterEach();

test('a key is read in each accepted notation, and other values are ignored', () => {
  const file = join(newDirectory(), 'dev.env');
  const lines = [`${key}`, `"${key}"`, `'${key}'`, `${key}\r`].map((value) => `A=1\nFLOWGATE_API_KEY=${value}\nB=2\n`);
  for (const text of [...lines, `export FLOWGATE_API_KEY=${key}`]) {
    writeFileSync(file, text);
    expect(readSavedKey(file)).toBe(key);
  }
  // Some of these could not be sent in a header.
  for (const value of ['', 'fk_short', 'f\u00f6\u0000', '\u0001\u0002', `${key}x`, `${key}\u{1f600}`]) {
    writeFileSync(file, `FLOWGATE_API_KEY=${value}\n`);
    expect(readSavedKey(file)).toBeUndefined();
  }
  writeFileSync(file, Uint8Array.of(0xff, 0xfe, 0, 0x80));
  expect(readSavedKey(file)).toBeUndefined();
});

test('the file, or a link in its place, is replaced by a file that only its owner can read', () => {
  const directory = newDirectory();
  const file = join(directory, 'dev.env');
  const elsewhere = join(directory, 'elsewhere');
  writeFileSync(elsewhere, 'untouched', { mode: 0o644 });
  const obstacles = [
    () => {},
    () => symlinkSync(elsewhere, file),
    () => symlinkSync('dev.env', file),
    () => symlinkSync(join(directory, 'nowhere'), file),
    () => writeFileSync(file, 'old', { mode: 0o666 }),
  ];
  for (const put of obstacles) {
    rmSync(file, { force: true });
    put();
    expect(writeDevEnv(file, entries)).toBeUndefined();
    expect(lstatSync(file).isFile()).toBe(true);
    expect(lstatSync(file).mode & 0o777).toBe(0o600);
    expect(readSavedKey(file)).toBe(key);
  }
  expect(readFileSync(elsewhere, 'utf8')).toBe('untouched');
  expect(readdirSync(directory).toSorted()).toEqual(['dev.env', 'elsewhere']);
});

test('a file that cannot be read or written returns the reason and leaves no temporary file', () => {
  const directory = newDirectory();
  const file = join(directory, 'dev.env');
  mkdirSync(file);
  expect(readSavedKey(file)).toBeUndefined();
  expect(writeDevEnv(file, entries)).toBe('EISDIR');
  expect(readdirSync(directory)).toEqual(['dev.env']);
  expect(writeDevEnv(join(directory, 'nowhere', 'dev.env'), entries)).toBe('ENOENT');
});

test('a shell reads the exact path of bridge.json, with any characters', () => {
  const file = join(newDirectory(), 'dev.env');
  const bridgeFile = '/tmp/it\'s $HOME `x` "y"/bridge.json';
  expect(writeDevEnv(file, { ...entries, bridgeFile })).toBeUndefined();
  const { stdout } = Bun.spawnSync(['sh', '-c', '. "$1" && printf %s "$FLOWGATE_BRIDGE"', 'sh', file]);
  expect(stdout.toString()).toBe(bridgeFile);
  writeDevEnv(file, entries);
  expect(readFileSync(file, 'utf8')).not.toContain('FLOWGATE_BRIDGE');
});
