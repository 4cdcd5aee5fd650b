/** The path of a request's target. */

/** Without the query; empty for a target that has no path. */
export function pathOf(target: string): string {
  if (!target.startsWith('/')) return '';
  const query = target.indexOf('?');
  return query < 0 ? target : target.slice(0, query);
}
