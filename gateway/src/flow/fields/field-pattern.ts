/** A field's `pattern`: RE2 syntax, anchored, and bounded so that no app's pattern holds the gateway up (contract/flow-apps#fields). */

import { RE2JS } from 're2js';
import type { BodyProblem } from '../../api/body-problems.ts';

export const maxPatternLength = 1_000;

/**
 * RE2 is linear in the text, but its factor is the program's size: 1,000 instructions over 16,384 characters took 1.4 s. So a program has a limit,
 * and the checks of one submission share what `patternBudget` says.
 */
const maxProgramSize = 1_000;

/** Instructions times characters that the patterns of one submission may cost together: at worst about 0.2 s. */
export const patternBudget = 1_000_000;

/** What compiling may cost, for the patterns of a step together: at worst about 0.2 s. */
export const compileBudget = 4_000;

/** Milliseconds that a unit of `compileCost` takes at most, on a slow machine. */
export const compileUnitMs = 0.04;

/** What compiling costs at most, in units of `compileUnitMs`; found out without compiling. */
export function compileCost(pattern: string): number {
  const classes = pattern.match(/\\p/gi)?.length ?? 0;
  // Without regard to case, each letter of a range is looked up with all of its forms: those beyond ASCII are many.
  const wideRanges = /\(\?[a-z-]*i/i.test(pattern) ? (pattern.match(/-[^\0-[\]-\x7f]/g)?.length ?? 0) : 0;
  return pattern.length + 35 * classes + 160 * wideRanges;
}

/** Undefined when it is no RE2 pattern, too long, or too large once its repetitions are written out. */
export function compilePattern(pattern: string): RE2JS | undefined {
  if (pattern.length > maxPatternLength || estimatedSize(pattern) > 20 * maxProgramSize) return undefined;
  try {
    const compiled = RE2JS.compile(pattern);
    return compiled.programSize() <= maxProgramSize ? compiled : undefined;
  } catch {
    return undefined;
  }
}

/** A value that was submitted, and the pattern that it is to match. */
export type PatternedText = { readonly fieldId: string; readonly pattern: string; readonly text: string };

/** The values that do not match. Those after one that the budget ends with are not looked at. */
export function patternProblems(texts: readonly PatternedText[]): readonly Required<BodyProblem>[] {
  const problems: Required<BodyProblem>[] = [];
  let left = patternBudget;
  for (const { fieldId, pattern, text } of texts) {
    const compiled = compilePattern(pattern);
    left -= (compiled?.programSize() ?? 0) * text.length;
    if (left < 0) return [...problems, { fieldId, message: 'is too long for its pattern' }];
    // A step's patterns were compiled when it was rendered; one that no longer does matches nothing.
    if (compiled?.matches(text) !== true) problems.push({ fieldId, message: 'must match its pattern' });
  }
  return problems;
}

/** Milliseconds that this takes at most, on a slow machine; most patterns take a tenth. Found out without compiling. */
export function mostPatternMs(texts: readonly Omit<PatternedText, 'fieldId'>[]): number {
  return texts.reduce(
    // The first characters are the dear ones: what the pattern may be at, is found out with them.
    (ms, { pattern, text }) =>
      ms + compileCost(pattern) * compileUnitMs + estimatedSize(pattern) * text.length * 0.0004,
    0,
  );
}

/** Not less than the program's size, and cheap: compiling `(…){1000}` only to learn how large it is would take a second. */
function estimatedSize(pattern: string): number {
  let [size, factor] = [pattern.length, 1];
  for (const { 0: repetition, index } of pattern.matchAll(/\{\d*(?:,\d*)?\}/g)) {
    const count = Math.max(1, ...repetition.slice(1, -1).split(',').map(Number));
    if (pattern[index - 1] === ')') factor *= count;
    else size += count;
  }
  // RE2 itself refuses what nested counts multiply beyond 1,000.
  return size * Math.min(factor, 1_000);
}
