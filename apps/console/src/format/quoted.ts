/** Text as a literal of a language. */

/** For a shell; in quotes only where they are needed. */
export const shellText = (text: string): string =>
  /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** For JavaScript and TypeScript. */
export const jsText = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
