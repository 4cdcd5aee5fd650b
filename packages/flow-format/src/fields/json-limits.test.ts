import { expect, test } from 'bun:test';
import { jsonProblem, maxJsonDepth, maxJsonValues } from './json-limits.ts';

const nested = (depth: number) => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown;

test('a value may nest exactly as deep as the limit, regardless of the levels beyond it', () => {
  expect(jsonProblem(nested(maxJsonDepth))).toBeUndefined();
  for (const depth of [maxJsonDepth + 1, 5_000])
    expect(jsonProblem(nested(depth))).toBe('must not nest deeper than 32 levels');
});

test('a value may contain exactly as many values as the limit, in one list or over all levels', () => {
  const list = (length: number) => Array.from({ length }, () => 1);
  const members = (length: number) => Object.fromEntries(list(length).map((one, at) => [`a${at}`, one]));
  const problem = `must not hold more than ${maxJsonValues} values`;
  expect(jsonProblem(list(maxJsonValues))).toBeUndefined();
  expect(jsonProblem(list(maxJsonValues + 1))).toBe(problem);
  expect(jsonProblem(members(maxJsonValues))).toBeUndefined();
  expect(jsonProblem(members(maxJsonValues + 1))).toBe(problem);
  const half = maxJsonValues / 2 - 1;
  expect(jsonProblem([list(half), members(half)])).toBeUndefined();
  expect(jsonProblem([list(half), members(half + 1)])).toBe(problem);
});

test('values that JSON or a database would change are refused: lone surrogates and infinities', () => {
  for (const bad of ['\ud800', { '\udc00': 1 }, [['\ud800']]])
    expect(jsonProblem(bad)).toBe('must be well-formed Unicode');
  for (const bad of [Number.POSITIVE_INFINITY, [Number.NaN], undefined, { a: 1n }])
    expect(jsonProblem(bad)).toBe('must be JSON');
  expect(jsonProblem({ a: ['é😀', 1.5, null, true, {}] })).toBeUndefined();
});
