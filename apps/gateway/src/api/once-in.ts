/** Reads members of a query that may be given once only. */

/** Undefined where it is not given. What is given more than once is added to `problems`, and its first value counts. */
export function onceIn(query: URLSearchParams, problems: string[]): (name: string) => string | undefined {
  return (name) => {
    const [value, ...more] = query.getAll(name);
    if (more.length > 0) problems.push(`${name} must be given once`);
    return value;
  };
}
