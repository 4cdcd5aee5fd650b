/** What a pattern costs for each character of the worst texts that we can make for it, and how that grows. */

import { attacksOn } from './regex-attacks.ts';
import { stepCounter } from './regex-steps.ts';

export type RegexCost = {
  /** Steps for each character of the longest text. */
  readonly perCharacter: number;
  /** The longest text's steps over those of the one half as long: 2 is linear, 4 quadratic. */
  readonly growth: number;
  /** The beginning of the worst text. */
  readonly attack: string;
};

const probeLengths = [96, 192] as const;
/** Each twice as long as the one before. */
const lengths = [256, 512, 1_024, 2_048];
/** So many of those that cost most, and of those that grow most, are followed up. */
const followed = 2;
/** Far above anything linear: nobody waits for an exponential one. */
const mostStepsPerCharacter = 1_000;

export function regexCost(regex: RegExp): RegexCost {
  const count = stepCounter(regex);
  const most = (length: number) => length * mostStepsPerCharacter;
  const probed = attacksOn(regex).map((attack) => {
    const [half, whole] = probeLengths.map((length) => count(attack(length), most(length)));
    return { attack, steps: whole ?? 0, growth: (whole ?? 0) / (half ?? 1) };
  });
  const worst = new Set([
    ...probed.toSorted((a, b) => b.steps - a.steps).slice(0, followed),
    ...probed.toSorted((a, b) => b.growth - a.growth).slice(0, followed),
  ]);
  const costs = [...worst].map(({ attack }): RegexCost => {
    const steps = lengths.map((length) => count(attack(length), most(length)));
    const [half = 1, whole = 1] = steps.slice(-2);
    return { perCharacter: whole / (lengths.at(-1) ?? 1), growth: whole / half, attack: attack(24) };
  });
  const dearest = costs.toSorted((a, b) => b.perCharacter - a.perCharacter);
  const fastest = dearest.filter((cost) => cost.perCharacter > cheap).toSorted((a, b) => b.growth - a.growth);
  return (
    fastest.find(({ growth }) => growth > linearGrowth) ?? dearest[0] ?? { perCharacter: 0, growth: 0, attack: '' }
  );
}

/** What costs so little may do so unevenly. */
const cheap = 16;
/** With room for ends and beginnings. */
const linearGrowth = 2.5;

export function isLinear({ perCharacter, growth }: RegexCost, most: number): boolean {
  return perCharacter <= cheap || (perCharacter <= most && growth <= linearGrowth);
}

/** The expression that a literal, or its text, stands for. */
export function regexOf(literal: string): RegExp {
  const end = literal.lastIndexOf('/');
  return new RegExp(literal.slice(1, end), literal.slice(end + 1));
}
