/** Text of a stream as it comes, but never less than whole lines. */

/** Resolves when the stream has ended; what follows the last line end is passed on as a line. Never rejects. */
export async function wholeLines(stream: ReadableStream<Uint8Array>, write: (lines: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  let held = '';
  try {
    for await (const piece of stream) {
      const text = decoder.decode(piece, { stream: true });
      const end = text.lastIndexOf('\n') + 1;
      if (end > 0) {
        write(held + text.slice(0, end));
        held = text.slice(end);
      } else held += text;
    }
  } catch {
    // It broke off: what has come is all there is.
  }
  if (held !== '') write(`${held}\n`);
}
