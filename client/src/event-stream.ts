/** Reads Server-Sent Events from an answer's body, in whatever pieces it arrives (HTML standard, 9.2). */

export type ServerSentEvent = { readonly id: string; readonly type: string; readonly data: string };

/** Ends with the body, and rejects as it does; an incomplete event is dropped. `onBytes` is called whenever bytes arrive, comments included. */
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
      // A carriage return at the very end may be half of a line break.
      const lines = (rest + decoder.decode(value, { stream: true })).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? '';
      if (rest.length > maxCharacters) throw new Error('A line of the stream of events does not end.');
      yield* lines;
    }
  } finally {
    // A reader that stops wants the connection closed; if it is broken already, nothing is left to do.
    await reader.cancel().catch(() => undefined);
  }
}

/** Of a line, and of an event. The gateway keeps events below a quarter of that. */
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
    if (this.characters > maxCharacters) throw new Error('An event of the stream does not end.');
    if (name === 'data') this.data.push(value);
    else if (name === 'event') this.type = value;
    else if (name === 'id' && !value.includes('\0')) this.id = value;
  }

  /** `undefined` for an event without data. The id applies to later events too. */
  finish(): ServerSentEvent | undefined {
    const { id, type, data } = this;
    this.type = '';
    this.data = [];
    this.characters = 0;
    return data.length === 0 ? undefined : { id, type: type === '' ? 'message' : type, data: data.join('\n') };
  }
}
