/** Collects a list's entries over its pages, up to a number that a person can read. */

export async function collected<T>(entries: AsyncIterable<T>, max = 1_000): Promise<readonly T[]> {
  const found: T[] = [];
  if (max <= 0) return found;
  for await (const entry of entries) if (found.push(entry) >= max) break;
  return found;
}
