import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { cpuSeconds, cpuSecondsOf, residentBytes, residentBytesOf } from './process-usage.ts';

const stat =
  '4242 (a (odd) name) S 1 4242 4242 0 -1 4194304 900 0 0 0 150 75 9 9 20 0 5 0 8888 100000 2500 18446744073709551615';

test('CPU time is user plus system of the process without its children, for any program name (proc(5))', () => {
  expect(cpuSecondsOf(stat)).toBe(2.25);
});

test('text other than a stat line has no CPU time', () => {
  expect(cpuSecondsOf('')).toBeUndefined();
});

test('resident memory is VmRSS in bytes', () => {
  expect(residentBytesOf('Name:\tx\nVmHWM:\t  999 kB\nVmRSS:\t    2048 kB\nRssAnon:\t 7 kB\n')).toBe(2_097_152);
  expect(residentBytesOf('Name:\tkthreadd\n')).toBeUndefined();
});

test('the usage of a process that does not exist is undefined', () => {
  expect(cpuSeconds(0)).toBeUndefined();
  expect(cpuSeconds(2 ** 22)).toBeUndefined();
  expect(cpuSeconds(2 ** 30)).toBeUndefined();
  expect(residentBytes(2 ** 30)).toBeUndefined();
});

test.if(process.platform === 'linux')("a process' CPU clock agrees with /proc within one tick", () => {
  const coarse = (): number => cpuSecondsOf(readFileSync('/proc/self/stat', 'utf8')) ?? Number.NaN;
  const coarseBefore = coarse();
  const fineBefore = cpuSeconds(process.pid) ?? Number.NaN;
  while (coarse() < coarseBefore + 0.2) Bun.hash('work');
  const fineUsed = (cpuSeconds(process.pid) ?? Number.NaN) - fineBefore;
  expect(fineUsed).toBeGreaterThan(0.15);
  expect(fineUsed).toBeLessThan(0.25);
});
