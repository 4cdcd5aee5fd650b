/**
 * Counts the steps of a backtracking engine with a pattern and a text: examined characters and tried alternatives. The
 * count is the same on every machine.
 */

import { parseRegex, type RegexNode } from './regex-syntax.ts';

/** Whether the rest of the pattern matches from here. */
type Rest = (at: number) => boolean;

/** Counts the steps of a pattern on a text. Stops at `most`. */
export type CountSteps = (text: string, maxSteps: number) => number;

type Repeat = Extract<RegexNode, { kind: 'repeat' }>;

/**
 * What a choice does at one character: alternatives to try, each with the steps of the preceding alternatives that fail
 * at once, and the steps of those after the last.
 */
type ChoicePlan = {
  readonly attempts: readonly { readonly before: number; readonly attempt: Rest }[];
  readonly after: number;
};

const enough = Symbol('enough');

/**
 * A pattern that its caller tries at one position at a time (`y`), and that reads a bounded number of characters there.
 */
export function isTriedOnce(regex: RegExp): boolean {
  return regex.sticky && widthOf(parseRegex(regex))[1] < Number.POSITIVE_INFINITY;
}

/**
 * Counts the steps of finding all matches. A pattern that is tried once is tried at the start of the text, where its
 * lookbehinds count as fulfilled.
 */
export function stepCounter(regex: RegExp): CountSteps {
  const once = isTriedOnce(regex);
  const texts = new DistinctCharacters();
  let text: readonly number[] = [];
  let steps = 0;
  let maxSteps = 0;
  const step = (count = 1) => {
    steps += count;
    if (steps > maxSteps) {
      steps = maxSteps + 1;
      throw enough;
    }
  };
  const isWord = texts.set((one) => /^\w$/.test(one));
  const isLineFeed = texts.set((one) => one === '\n');
  const isLineEnd = (at: number) => regex.multiline && isLineFeed(text[at]);
  const assertions: Readonly<Record<string, Rest>> = {
    '^': (at) => at === 0 || isLineEnd(at - 1),
    $: (at) => at === text.length || isLineEnd(at),
    '\\b': (at) => isWord(text[at - 1]) !== isWord(text[at]),
    '\\B': (at) => isWord(text[at - 1]) === isWord(text[at]),
  };

  function compile(node: RegexNode, rest: Rest): Rest {
    if (node.kind === 'set') {
      const has = texts.set(node.has);
      return (at) => {
        step();
        return has(text[at]) && rest(at + 1);
      };
    }
    if (node.kind === 'assert') return (at) => assertions[node.what]?.(at) === true && rest(at);
    if (node.kind === 'look') return look(node, rest);
    if (node.kind === 'repeat')
      return node.of.kind === 'set' && runsAlone(node) ? run(node, node.of.has, rest) : repeat(node, rest);
    if (node.kind === 'sequence') return node.of.reduceRight((next, part) => compile(part, next), rest);
    return choice(node.of, rest);
  }

  /**
   * Counts all alternatives that fail at their first character together, because lists of words have hundreds of them.
   */
  function choice(of: readonly RegexNode[], rest: Rest): Rest {
    const ways = of.map((way) => ({ attempt: compile(way, rest), costOfFailure: costOfFailure([way]) }));
    const plans = new Map<number | undefined, ChoicePlan>();
    const planFor = (character: number | undefined): ChoicePlan => {
      const attempts: { before: number; attempt: Rest }[] = [];
      let failed = 0;
      for (const way of ways) {
        const cost = way.costOfFailure(character);
        if (cost === undefined) attempts.push({ before: failed, attempt: way.attempt });
        failed = cost === undefined ? 0 : failed + cost;
      }
      const plan = { attempts, after: failed };
      plans.set(character, plan);
      return plan;
    };
    return (at) => {
      const { attempts, after } = plans.get(text[at]) ?? planFor(text[at]);
      for (const { before, attempt } of attempts) {
        step(before);
        if (attempt(at)) return true;
      }
      step(after);
      return false;
    };
  }

  /**
   * The steps of a sequence that fails at its first character, independent of what follows. Undefined when more than
   * that character decides.
   */
  function costOfFailure([first, ...others]: readonly RegexNode[]): (
    character: number | undefined,
  ) => number | undefined {
    if (first === undefined || first.kind === 'assert' || first.kind === 'look') return () => undefined;
    if (first.kind === 'set') {
      const has = texts.set(first.has);
      return (character) => (has(character) ? undefined : 1);
    }
    if (first.kind !== 'repeat') {
      if (first.kind === 'sequence') return costOfFailure([...first.of, ...others]);
      const ways = first.of.map((way) => costOfFailure([way, ...others]));
      return (character) => sumOf(ways.map((cost) => cost(character)));
    }
    const once = costOfFailure([first.of]);
    const own = runsAlone(first) ? (first.min === 0 ? 1 : 0) : 1;
    if (first.min > 0) return (character) => sumOf([own, once(character)]);
    const without = costOfFailure(others);
    return (character) => sumOf([own, once(character), without(character)]);
  }

  /** `[a-z]*`: takes as many characters as it can, then backtracks one by one. */
  function run({ min, max }: Repeat, set: (one: string) => boolean, rest: Rest): Rest {
    const has = texts.set(set);
    return (at) => {
      let end = at;
      for (step(); end - at < max && has(text[end]); end++) step();
      for (; end - at >= min; end--) {
        step();
        if (rest(end)) return true;
      }
      return false;
    };
  }

  function repeat({ of, min, max, lazy }: Repeat, rest: Rest): Rest {
    let count = 0;
    let from = -1;
    /** Runs `attempt` with other values of the counters and restores them afterwards. */
    const trying = (nextCount: number, nextFrom: number, attempt: () => boolean): boolean => {
      const before = [count, from] as const;
      [count, from] = [nextCount, nextFrom];
      const found = attempt();
      [count, from] = before;
      return found;
    };
    const once = compile(of, (end) => (end > from || count < min) && trying(count + 1, end, () => loop(end)));
    const loop = (at: number): boolean => {
      step();
      if (count < min) return once(at);
      return lazy ? rest(at) || (count < max && once(at)) : (count < max && once(at)) || rest(at);
    };
    return (at) => trying(0, at, () => loop(at));
  }

  function look({ of, behind, not }: Extract<RegexNode, { kind: 'look' }>, rest: Rest): Rest {
    let target = -1;
    const inner = compile(of, (end) => !behind || end === target);
    const [shortest, longest] = behind ? widthOf(of) : [0, 0];
    const isThere = (at: number): boolean => {
      target = at;
      for (let width = shortest; width <= Math.min(longest, at); width++) if (inner(at - width)) return true;
      return false;
    };
    return (at) => (isThere(at) !== not || (behind && once)) && rest(at);
  }

  let matchEnd = -1;
  const whole = compile(parseRegex(regex), (at) => {
    matchEnd = at;
    return true;
  });
  return (input, limit) => {
    text = texts.numbers(regex.unicode ? [...input] : input.split(''));
    steps = 0;
    maxSteps = limit;
    try {
      if (once) whole(0);
      else for (let at = 0; at <= text.length; ) at = whole(at) && matchEnd > at ? matchEnd : at + 1;
    } catch (cause) {
      if (cause !== enough) throw cause;
    }
    return steps;
  };
}

/** Whether the repetition is greedy and of a single character, which needs no counters. */
function runsAlone({ of, lazy }: Repeat): boolean {
  return of.kind === 'set' && !lazy;
}

/** Undefined when one of them is undefined. */
function sumOf(costs: readonly (number | undefined)[]): number | undefined {
  return costs.reduce((sum, each) => (sum === undefined || each === undefined ? undefined : sum + each), 0);
}

/**
 * Texts as lists of numbers, one for each distinct character, so that each set is evaluated once for each character.
 */
class DistinctCharacters {
  private readonly known = new Map<string, number>();
  private readonly all: string[] = [];

  numbers(text: readonly string[]): readonly number[] {
    return text.map((one) => {
      const number = this.known.get(one) ?? this.all.push(one) - 1;
      this.known.set(one, number);
      return number;
    });
  }

  /** No set matches a position outside the text. */
  set(has: (one: string) => boolean): (number: number | undefined) => boolean {
    const answers: boolean[] = [];
    return (number) => {
      if (number === undefined) return false;
      const answer = answers[number] ?? has(this.all[number] ?? '');
      answers[number] = answer;
      return answer;
    };
  }
}

/** The minimum and maximum number of characters that the node can match. */
function widthOf(node: RegexNode): readonly [number, number] {
  if (node.kind === 'set') return [1, 1];
  if (node.kind === 'look' || node.kind === 'assert') return [0, 0];
  if (node.kind === 'repeat') {
    const [shortest, longest] = widthOf(node.of);
    return [shortest * node.min, longest === 0 ? 0 : longest * node.max];
  }
  const widths = node.of.map(widthOf);
  const sum = (of: readonly number[]) => of.reduce((all, each) => all + each, 0);
  const [shortest, longest] = [widths.map(([min]) => min), widths.map(([, max]) => max)];
  return node.kind === 'choice' ? [Math.min(...shortest), Math.max(...longest)] : [sum(shortest), sum(longest)];
}
