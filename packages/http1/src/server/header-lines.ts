/** The header lines of an answer. */

const fieldValue = /^[\t\x20-\x7e]*$/;

/** @throws on a header with a byte that is not allowed, so that no value can end a line. Omits `Connection`. */
export function headerLines(headers: Readonly<Record<string, string>>): string {
  let lines = '';
  for (const name in headers) {
    const value = headers[name] ?? '';
    if (!fieldValue.test(value)) throw new Error(`the header ${name} of an answer is not valid`);
    if (name !== 'Connection') lines += `${name}: ${value}\r\n`;
  }
  return lines;
}
