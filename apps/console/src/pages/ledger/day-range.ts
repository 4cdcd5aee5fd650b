/** Converts chosen days to the time bounds of a list request. */

/** Midnight, in the browser's time zone, of a day such as `2026-11-23`. Undefined for invalid text. */
export function dayOf(text: string): Date | undefined {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  const day = new Date(Number(year), Number(month) - 1, Number(date));
  return day.getDate() === Number(date) && day.getMonth() === Number(month) - 1 ? day : undefined;
}

/** Includes both days. Invalid text sets no bound. */
export function dayRange(since: string, until: string): { readonly after?: string; readonly before?: string } {
  const [first, last] = [dayOf(since), dayOf(until)];
  // The API's bounds are exclusive.
  const after = first && new Date(first.getTime() - 1);
  const before = last && new Date(last.getFullYear(), last.getMonth(), last.getDate() + 1);
  return {
    ...(after !== undefined && { after: after.toISOString() }),
    ...(before !== undefined && { before: before.toISOString() }),
  };
}
