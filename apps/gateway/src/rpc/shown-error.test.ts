import { expect, test } from 'bun:test';
import { rangeOf } from '@flowgate/bytes/byte-range';
import { maxErrorLength, shownError as shown, shownOnceError } from './shown-error.ts';

const shownError = (error: string, hide: (text: string) => string, times?: number) =>
  shown(rangeOf(error), hide, times);

const whole = (text: string) => text;

test("a node's error is unchanged up to a generous maximum; a longer error is cut to its code and the beginning of its message", () => {
  const error = (padding: number) =>
    `{"code" :-32000, "message":"${'\\u0041\\"'.repeat(300)}","data":"${'x'.repeat(padding)}"}`;
  const fits = error(maxErrorLength - error(0).length);
  expect(shownError(fits, whole)).toBe(fits);
  const reduced = shownError(error(maxErrorLength), whole);
  expect(reduced.length).toBeLessThan(1_100);
  expect(JSON.parse(reduced)).toEqual({ code: -32000, message: expect.stringMatching(/^(A")+A?…$/) });
});

test('the text that is searched for secrets is bounded for any length of the error and its code', () => {
  const searched: string[] = [];
  const note = (text: string) => {
    searched.push(text);
    return text;
  };
  shownError(`{"code":${'1'.repeat(1_000_000)},"message":"${'m'.repeat(1_000_000)}"}`, note);
  expect(searched).toEqual([`{"code":-32603,"message":"${'m'.repeat(1_023)}…"}`]);
});

test('the copies of an error for many calls are together as long as a single error', () => {
  const error = `{"code":1,"message":"m","data":"${'x'.repeat(maxErrorLength / 100)}"}`;
  expect(shownError(error, whole)).toBe(error);
  expect(shownError(error, whole, 100)).toBe('{"code":1,"message":"m"}');
});

test('an error of a call that must not be repeated is small with the longest id, because it is sent even without free memory (contract/bounds#sizes: a node error)', () => {
  const error = (bytes: number) => `{"code":1,"message":"m","data":"${'x'.repeat(bytes)}"}`;
  expect(shownOnceError(rangeOf(error(49_000)), whole)).toBe(error(49_000));
  expect(shownOnceError(rangeOf(error(50_000)), whole)).toBe('{"code":1,"message":"m"}');
});
