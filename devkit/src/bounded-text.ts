/** The text of a response, within a bound: a process that answers without end must not fill the memory. */

const maxBytes = 64 * 1_048_576;

/** Throws when the response is longer than 64 MiB. */
export async function boundedText(response: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.length;
    if (bytes > maxBytes) throw new Error(`The answer is larger than ${maxBytes} bytes.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}
