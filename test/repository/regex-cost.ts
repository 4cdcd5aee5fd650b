/** Measures the steps of a pattern for each character of its worst texts, and their growth with the length. */

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
/** Lengths, each twice the previous one. */
const lengths = [256, 512, 1_024, 2_048];
/** Only this many texts are measured at all lengths: the most expensive ones, and those that grow most. */
const followed = 2;
/** Stops exponential patterns early. Larger than any accepted exception. */
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

/** Longer than the text that a pattern reads in practice when it is tried once: a few words. */
const tryLength = 192;
/**
 * The accepted steps of one try. The worst text of a list of 300 words takes 300: the first character of each is
 * compared.
 */
export const maxStepsOfTry = 600;

/** The maximum steps of one try, and the prefix of the text that causes them. */
export function costOfTry(regex: RegExp): { readonly steps: number; readonly attack: string } {
  const count = stepCounter(regex);
  let worst = { steps: 0, attack: '' };
  for (const attack of attacksOn(regex)) {
    const steps = count(attack(tryLength), tryLength * maxStepsPerCharacter);
    if (steps > worst.steps) worst = { steps, attack: attack(24) };
  }
  return worst;
}

/** Uneven growth is accepted below this many steps for each character. */
const cheap = 16;
/** More than 2, because the end of a text has a cost of its own. */
const linearGrowth = 2.5;

export function isLinear({ perCharacter, growth }: RegexCost, max: number): boolean {
  return perCharacter <= cheap || (perCharacter <= max && growth <= linearGrowth);
}

/** The pattern of a literal or of its text. */
export function regexOf(literal: string): RegExp {
  const end = literal.lastIndexOf('/');
  return new RegExp(literal.slice(1, end), literal.slice(end + 1));
}
