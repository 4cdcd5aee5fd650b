/** Days that a person chooses, as the times between which a list is read. */

/** `text` is `2026-11-23`; its midnight in this browser's time zone. Undefined: it is no day. */
export function dayOf(text: string): Date | undefined {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  const day = new Date(Number(year), Number(month) - 1, Number(date));
  return day.getDate() === Number(date) && day.getMonth() === Number(month) - 1 ? day : undefined;
}

/** From the first day to the whole last one. A text that is no day is no bound. */
export function dayRange(since: string, until: string): { readonly after?: string; readonly before?: string } {
  const [first, last] = [dayOf(since), dayOf(until)];
  // Both exclude the time itself.
  const after = first && new Date(first.getTime() - 1);
  const before = last && new Date(last.getFullYear(), last.getMonth(), last.getDate() + 1);
  return {
    ...(after !== undefined && { after: after.toISOString() }),
    ...(before !== undefined && { before: before.toISOString() }),
  };
}
