/** The part of an error that may be logged, whoever threw it. */

/** Its kind and place without the message: an app's message may contain what its users submitted. */
export function errorPlace(error: unknown): { readonly error: string; readonly at?: string } {
  if (!(error instanceof Error)) return { error: typeof error };
  const at = error.stack?.split('\n').find((line) => /^\s+at /.test(line));
  return at === undefined ? { error: error.name } : { error: error.name, at: at.trim() };
}
