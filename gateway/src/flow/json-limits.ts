/** What every JSON value that passes between callers and apps keeps to, so that reading, storing and repeating it is safe. */

/** Far below where any parser's or database's own limit lies. */
export const maxJsonDepth = 32;

/** The rest of a sentence that begins with the value's name; undefined when it is fine. Never throws, whatever the depth. */
export function jsonProblem(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : 'must be well-formed Unicode';
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'must be JSON';
  if (value === null || typeof value === 'boolean') return undefined;
  if (typeof value !== 'object') return 'must be JSON';
  if (depth === maxJsonDepth) return `must not nest deeper than ${maxJsonDepth} levels`;
  if (Array.isArray(value)) return firstProblem(value, depth + 1);
  const names = Object.keys(value);
  if (!names.every((name) => name.isWellFormed())) return 'must be well-formed Unicode';
  return firstProblem(Object.values(value), depth + 1);
}

function firstProblem(values: readonly unknown[], depth: number): string | undefined {
  for (const value of values) {
    const problem = jsonProblem(value, depth);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
