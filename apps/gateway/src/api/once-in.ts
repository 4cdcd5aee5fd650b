/** Reads query parameters that may be given at most once. */

/** Returns `undefined` for an absent parameter. A repeated parameter is added to `problems`, and its first value is used. */
export function onceIn(query: URLSearchParams, problems: string[]): (name: string) => string | undefined {
  return (name) => {
    const [value, ...more] = query.getAll(name);
    if (more.length > 0) problems.push(`${name} must be given once`);
    return value;
  };
}
