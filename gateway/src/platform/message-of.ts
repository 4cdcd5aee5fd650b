/** What something that was thrown says of itself, for the log and for operators: it may hold anything, so no caller is told it. */

export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
