/** Quotes text as a literal. */

/** For a POSIX shell; quoted only where needed. */
export const shellText = (text: string): string =>
  /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** For JavaScript and TypeScript. */
export const jsText = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
