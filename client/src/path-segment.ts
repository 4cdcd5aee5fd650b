/** An identifier as one segment of a path, whatever characters it has. */

/** Throws `TypeError` for a text that a URL parser would drop or climb with, so that no other path is ever reached. */
export function pathSegment(id: string): string {
  if (/^\.{0,2}$/.test(id)) throw new TypeError(`"${id}" is no identifier.`);
  return encodeURIComponent(id);
}
