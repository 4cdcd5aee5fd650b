/** The message of a thrown value, for the log and for operators. It may contain anything, so callers never get it. */

export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
