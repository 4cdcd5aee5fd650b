/** Measures the steps of a pattern for each character of its worst texts, and how they grow with the length. */

import { attacksOn } from './regex-attacks.ts';
import { stepCounter } from './regex-steps.ts';

export type RegexCost = {
  /** Steps for each character of the longest text. */
  readonly perCharacter: number;
  /** The steps for the longest text divided by those for a text half as long: 2 is linear, 4 quadratic. */
  readonly growth: number;
  /** The beginning of the worst text. */
  readonly attack: string;
};

const probeLengths = [96, 192] as const;
/** Lengths, each twice the one before. */
const lengths = [256, 512, 1_024, 2_048];
/** The number of the most expensive texts, and of those that grow most, that are measured at all lengths. */
const followed = 2;
/** Above what any list of exceptions accepts; stops exponential patterns early. */
const maxStepsPerCharacter = 500;

export function regexCost(regex: RegExp): RegexCost {
  const count = stepCounter(regex);
  const max = (length: number) => length * maxStepsPerCharacter;
  const probed = attacksOn(regex).map((attack) => {
    const [half, whole] = probeLengths.map((length) => count(attack(length), max(length)));
    return { attack, steps: whole ?? 0, growth: (whole ?? 0) / (half ?? 1) };
  });
  const worst = new Set([
    ...probed.toSorted((a, b) => b.steps - a.steps).slice(0, followed),
    ...probed.toSorted((a, b) => b.growth - a.growth).slice(0, followed),
  ]);
  const costs = [...worst].map(({ attack }): RegexCost => {
    const steps = lengths.map((length) => count(attack(length), max(length)));
    const [half = 1, whole = 1] = steps.slice(-2);
    return { perCharacter: whole / (lengths.at(-1) ?? 1), growth: whole / half, attack: attack(24) };
  });
  const dearest = costs.toSorted((a, b) => b.perCharacter - a.perCharacter);
  const fastest = dearest.filter((cost) => cost.perCharacter > cheap).toSorted((a, b) => b.growth - a.growth);
  return (
    fastest.find(({ growth }) => growth > linearGrowth) ?? dearest[0] ?? { perCharacter: 0, growth: 0, attack: '' }
  );
}

/** Longer than what a pattern that is tried once reads in practice: a few words. */
const tryLength = 192;
/** The steps of one try that are accepted. The worst text of a list of 300 words takes 300: each is compared by its first character. */
export const maxStepsOfTry = 600;

/** The most steps of one try, and the beginning of the text that causes them. */
export function costOfTry(regex: RegExp): { readonly steps: number; readonly attack: string } {
  const count = stepCounter(regex);
  let worst = { steps: 0, attack: '' };
  for (const attack of attacksOn(regex)) {
    const steps = count(attack(tryLength), tryLength * maxStepsPerCharacter);
    if (steps > worst.steps) worst = { steps, attack: attack(24) };
  }
  return worst;
}

/** Below this many steps for each character, uneven growth is accepted. */
const cheap = 16;
/** More than 2, because the ends of a text have a cost of their own. */
const linearGrowth = 2.5;

export function isLinear({ perCharacter, growth }: RegexCost, max: number): boolean {
  return perCharacter <= cheap || (perCharacter <= max && growth <= linearGrowth);
}

/** The expression of a literal, or of its text. */
export function regexOf(literal: string): RegExp {
  const end = literal.lastIndexOf('/');
  return new RegExp(literal.slice(1, end), literal.slice(end + 1));
}
