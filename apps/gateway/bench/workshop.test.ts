import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { Workshop } from './workshop.ts';

const forever = [process.execPath, '-e', 'setInterval(() => {}, 1000)'];

test('closing ends every process and removes the directory, and may be repeated', async () => {
  const workshop = new Workshop();
  const { pid } = await workshop.start('idle', forever, async () => true);
  await Promise.all([workshop.close(), workshop.close()]);
  expect(() => process.kill(pid, 0)).toThrow();
  expect(existsSync(workshop.directory)).toBe(false);
});

test('a process that starts after closing ends at once', async () => {
  const workshop = new Workshop();
  await workshop.close();
  let ended = 0;
  workshop.atEnd(() => {
    ended += 1;
  });
  expect(ended).toBe(1);
});

test('a program that ends instead of starting is reported with its output', async () => {
  const workshop = new Workshop();
  const failing = [process.execPath, '-e', 'console.error("no such thing"); process.exit(3)'];
  await expect(workshop.start('failing', failing, async () => false)).rejects.toThrow(/exit 3.*no such thing/s);
  await workshop.close();
});
