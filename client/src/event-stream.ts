/** Reads Server-Sent Events from a response body in chunks of any size (HTML standard, 9.2). */

export type ServerSentEvent = { readonly id: string; readonly type: string; readonly data: string };

/** Ends with the body, and rejects when the body does; an incomplete event is dropped. `onBytes` is called for each chunk, including comments. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void,
): AsyncGenerator<ServerSentEvent> {
  const event = new PendingEvent();
  for await (const line of linesOf(body, onBytes)) {
    if (line !== '') event.take(line);
    else {
      const finished = event.finish();
      if (finished !== undefined) yield finished;
    }
  }
}

async function* linesOf(body: ReadableStream<Uint8Array>, onBytes: () => void): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onBytes();
      // A carriage return at the end of a chunk may be the first half of a line break.
      const lines = (rest + decoder.decode(value, { stream: true })).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? '';
      if (rest.length > maxCharacters) throw new Error('The event stream contains a line without end.');
      yield* lines;
    }
  } finally {
    // A reader that stops closes the connection; a broken one needs no further action.
    await reader.cancel().catch(() => undefined);
  }
}

/** Maximum length of a line and of an event, in UTF-16 code units: over four times the size of the gateway's events. */
const maxCharacters = 2 ** 20;

class PendingEvent {
  private id = '';
  private type = '';
  private data: string[] = [];
  private characters = 0;

  take(line: string): void {
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    this.characters += value.length;
    if (this.characters > maxCharacters) throw new Error('The event stream contains an event without end.');
    if (name === 'data') this.data.push(value);
    else if (name === 'event') this.type = value;
    else if (name === 'id' && !value.includes('\0')) this.id = value;
  }

  /** `undefined` for an event without data. The id also applies to later events. */
  finish(): ServerSentEvent | undefined {
    const { id, type, data } = this;
    this.type = '';
    this.data = [];
    this.characters = 0;
    return data.length === 0 ? undefined : { id, type: type === '' ? 'message' : type, data: data.join('\n') };
  }
}
