/** Reads a message's text up to a bound, so that an endless message cannot exhaust the memory. */

/** Throws when the message is longer than `maxBytes`, by default 64 MiB. */
export async function boundedText(message: Pick<Response, 'body'>, maxBytes: number = 64 * 1_048_576): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of message.body ?? []) {
    bytes += piece.length;
    if (bytes > maxBytes) throw new Error(`The message is larger than ${maxBytes} bytes.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}
