/** Makes a connection that receives much chunked content rest until the next turn of the event loop, so that others have their turn. */

/**
 * In bytes as received. One turn of the event loop can bring ten reads of half a MiB each, and chunks of one byte cost 20 ns for each byte received: all of them together
 * held up everybody else for longer than any other request does.
 */
export const mostChunkedInATurn = 131_072;

export class ChunkedTurns {
  /** Whether the socket must not be read now. */
  isResting = false;
  #bytes = 0;

  constructor(private readonly rested: () => void) {}

  received(bytes: number): void {
    this.#bytes += bytes;
    if (this.isResting || this.#bytes < mostChunkedInATurn) return;
    this.isResting = true;
    setImmediate(this.#goOn);
  }

  readonly #goOn = (): void => {
    this.isResting = false;
    this.#bytes = 0;
    this.rested();
  };
}
