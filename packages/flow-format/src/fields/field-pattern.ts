/** A field's `pattern`: RE2 syntax, anchored, and bounded so that no app's pattern can block the gateway (contract/sessions#fields). */

import type { BodyProblem } from '@flowgate/body-schema/body-problems';
import { RE2JS } from 're2js';

export const maxPatternLength = 1_000;

/**
 * RE2 takes time linear in the text, multiplied by the size of the compiled program: 1,000 instructions over 16,384 characters took 1.4 s. So the size of programs is limited,
 * and all checks of one submission share `patternBudget`.
 */
const maxProgramSize = 1_000;

/** Maximum of instructions times characters, for all patterns of one submission: at worst about 0.2 s. */
export const patternBudget = 1_000_000;

/** Maximum of `compileCost` for all patterns of one step: at worst about 0.2 s. */
export const compileBudget = 4_000;

/** Maximum of milliseconds for one unit of `compileCost`, on a slow machine. */
export const compileUnitMs = 0.04;

/** An upper bound of the cost of compiling, in units of `compileUnitMs`, estimated from the text. */
export function compileCost(pattern: string): number {
  const classes = pattern.match(/\\p/gi)?.length ?? 0;
  // In case-insensitive patterns RE2 expands each letter of a range to all its case forms, which is expensive beyond ASCII.
  const wideRanges = /\(\?[a-z-]*i/i.test(pattern) ? (pattern.match(/-[^\0-[\]-\x7f]/g)?.length ?? 0) : 0;
  return pattern.length + 35 * classes + 160 * wideRanges;
}

/** Undefined if the text is not an RE2 pattern, is too long, or compiles to a too large program. */
export function compilePattern(pattern: string): RE2JS | undefined {
  if (pattern.length > maxPatternLength || estimatedSize(pattern) > 20 * maxProgramSize) return undefined;
  try {
    const compiled = RE2JS.compile(pattern);
    return compiled.programSize() <= maxProgramSize ? compiled : undefined;
  } catch {
    return undefined;
  }
}

/** A submitted value and the pattern that it must match. */
export type PatternedText = { readonly fieldId: string; readonly pattern: string; readonly text: string };

/** A problem for each value that does not match. Checking stops at the value that exhausts `patternBudget`. */
export function patternProblems(texts: readonly PatternedText[]): readonly Required<BodyProblem>[] {
  const problems: Required<BodyProblem>[] = [];
  let left = patternBudget;
  for (const { fieldId, pattern, text } of texts) {
    const compiled = compilePattern(pattern);
    left -= (compiled?.programSize() ?? 0) * text.length;
    if (left < 0) return [...problems, { fieldId, message: 'is too long for its pattern' }];
    // Patterns compiled when the step was rendered. One that no longer compiles matches nothing.
    if (compiled?.matches(text) !== true) problems.push({ fieldId, message: 'must match its pattern' });
  }
  return problems;
}

/** An upper bound of the milliseconds that `patternProblems` takes on a slow machine, estimated from the texts. Most patterns take a tenth of it. */
export function maxPatternMs(texts: readonly Omit<PatternedText, 'fieldId'>[]): number {
  return texts.reduce(
    // RE2 builds its states lazily, so the first characters are the expensive ones.
    (ms, { pattern, text }) =>
      ms + compileCost(pattern) * compileUnitMs + estimatedSize(pattern) * text.length * 0.0004,
    0,
  );
}

/** An upper bound of the program's size. Compiling `(…){1000}` only to learn its size would take a second. */
function estimatedSize(pattern: string): number {
  let [size, factor] = [pattern.length, 1];
  for (const { 0: repetition, index } of pattern.matchAll(/\{\d*(?:,\d*)?\}/g)) {
    const count = Math.max(1, ...repetition.slice(1, -1).split(',').map(Number));
    if (pattern[index - 1] === ')') factor *= count;
    else size += count;
  }
  // RE2 itself refuses nested counts whose product exceeds 1,000.
  return size * Math.min(factor, 1_000);
}
