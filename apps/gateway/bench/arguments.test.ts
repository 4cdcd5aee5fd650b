import { expect, test } from 'bun:test';
import { parseArguments } from './arguments.ts';

test('a quick run has fewer and shorter rounds', () => {
  const [quick, full] = [parseArguments(['--quick']), parseArguments([])];
  expect(quick.rounds * quick.roundMs).toBeLessThan(full.rounds * full.roundMs);
  expect(parseArguments(['--quick', '--rounds', '5']).rounds).toBe(5);
});

test('invalid arguments are refused with a sentence', () => {
  expect(() => parseArguments(['--rounds', '0'])).toThrow('--rounds needs a whole number');
  expect(() => parseArguments(['--without', 'apache'])).toThrow('not apache');
  expect(() => parseArguments(['--fast'])).toThrow();
});
