/** The texts among a call's parameters. */

/** The first parameter of a list, if it is a string. */
export function firstOf(json: string): string | undefined {
  const given: unknown = JSON.parse(json);
  if (!Array.isArray(given)) return undefined;
  const [first]: readonly unknown[] = given;
  return typeof first === 'string' ? first : undefined;
}

/** The string of a list with nothing else. */
export function onlyOf(json: string): string | undefined {
  const given: unknown = JSON.parse(json);
  return Array.isArray(given) && given.length === 1 ? firstOf(json) : undefined;
}
