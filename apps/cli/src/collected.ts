/** Entries of a list over its pages, as many as a person can read. */

export async function collected<T>(entries: AsyncIterable<T>, most = 1_000): Promise<readonly T[]> {
  const found: T[] = [];
  if (most <= 0) return found;
  for await (const entry of entries) if (found.push(entry) >= most) break;
  return found;
}
