/** `dev.env` is people's to edit and the start's to write: nothing in it keeps a start from starting. */
import { expect, test } from 'bun:test';
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanupAfterEach } from '../test/cleanups.ts';
import { readKeptKey, writeDevEnv } from './dev-env.ts';

const key = `fk_${'a'.repeat(16)}.${'b'.repeat(49)}`;
const entries = {
  url: 'http://127.0.0.1:8080',
  nodeProviderUrl: 'http://127.0.0.1:9300/v2',
  token: 'a.b.c',
  apiKey: key,
};

const { directory: newDirectory } = cleanupAfterEach();

test('the key is found however it is written, and whatever is no key is none', () => {
  const file = join(newDirectory(), 'dev.env');
  const lines = [`${key}`, `"${key}"`, `'${key}'`, `${key}\r`].map((value) => `A=1\nFLOWGATE_API_KEY=${value}\nB=2\n`);
  for (const text of [...lines, `export FLOWGATE_API_KEY=${key}`]) {
    writeFileSync(file, text);
    expect(readKeptKey(file)).toBe(key);
  }
  // A header could not even be sent with some of these.
  for (const value of ['', 'fk_short', 'f\u00f6\u0000', '\u0001\u0002', `${key}x`, `${key}\u{1f600}`]) {
    writeFileSync(file, `FLOWGATE_API_KEY=${value}\n`);
    expect(readKeptKey(file)).toBeUndefined();
  }
  writeFileSync(file, Uint8Array.of(0xff, 0xfe, 0, 0x80));
  expect(readKeptKey(file)).toBeUndefined();
});

test('it is replaced, links included, whatever they lead to, and readable by its owner alone', () => {
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
    expect(readKeptKey(file)).toBe(key);
  }
  expect(readFileSync(elsewhere, 'utf8')).toBe('untouched');
  expect(readdirSync(directory).toSorted()).toEqual(['dev.env', 'elsewhere']);
});

test('where it can be neither read nor written the reason is told, and nothing is left behind', () => {
  const directory = newDirectory();
  const file = join(directory, 'dev.env');
  mkdirSync(file);
  expect(readKeptKey(file)).toBeUndefined();
  expect(writeDevEnv(file, entries)).toBe('EISDIR');
  expect(readdirSync(directory)).toEqual(['dev.env']);
  expect(writeDevEnv(join(directory, 'nowhere', 'dev.env'), entries)).toBe('ENOENT');
});

test('a shell reads the path of bridge.json as it is, with whatever characters', () => {
  const file = join(newDirectory(), 'dev.env');
  const bridgeFile = '/tmp/it\'s $HOME `x` "y"/bridge.json';
  expect(writeDevEnv(file, { ...entries, bridgeFile })).toBeUndefined();
  const { stdout } = Bun.spawnSync(['sh', '-c', '. "$1" && printf %s "$FLOWGATE_BRIDGE"', 'sh', file]);
  expect(stdout.toString()).toBe(bridgeFile);
  writeDevEnv(file, entries);
  expect(readFileSync(file, 'utf8')).not.toContain('FLOWGATE_BRIDGE');
});
