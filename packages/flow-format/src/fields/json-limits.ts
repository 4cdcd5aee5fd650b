/** Limits of every JSON value that callers and apps exchange, so that reading, storing and sending it is safe. */

/** Far below the limits of parsers and databases. */
export const maxJsonDepth = 32;

/** Maximum number of entries and members, over all levels. One megabyte could contain half a million; parsing or copying this many takes 10 ms. */
export const maxJsonValues = 25_000;

/** How many more values are allowed. */
type Budget = { left: number };

/** The problem, as the rest of a sentence that begins with the value's name; undefined if there is none. Never throws, regardless of the depth. */
export function jsonProblem(value: unknown): string | undefined {
  return problemOf(value, 0, { left: maxJsonValues });
}

function problemOf(value: unknown, depth: number, budget: Budget): string | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : 'must be well-formed Unicode';
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'must be JSON';
  if (value === null || typeof value === 'boolean') return undefined;
  if (typeof value !== 'object') return 'must be JSON';
  if (depth === maxJsonDepth) return `must not nest deeper than ${maxJsonDepth} levels`;
  if (Array.isArray(value)) return firstProblem(value, depth + 1, budget);
  const names = Object.keys(value);
  if (!names.every((name) => name.isWellFormed())) return 'must be well-formed Unicode';
  return firstProblem(Object.values(value), depth + 1, budget);
}

function firstProblem(values: readonly unknown[], depth: number, budget: Budget): string | undefined {
  budget.left -= values.length;
  if (budget.left < 0) return `must not hold more than ${maxJsonValues} values`;
  for (const value of values) {
    const problem = problemOf(value, depth, budget);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
