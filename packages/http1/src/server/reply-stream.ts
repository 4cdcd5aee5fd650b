/** Sends a streamed answer piece by piece as its caller fetches it, chunked if the caller understands that. */

export type ReplySink = {
  readonly send: (bytes: string | Uint8Array) => void;
  /** Calls `then` once everything sent has left, or when the connection is gone. One listener. */
  readonly whenEmpty: (then: () => void) => void;
  readonly onBroken: (breakOff: () => void) => void;
  readonly finished: () => void;
  readonly failed: (cause: unknown) => void;
};

/** Calls `finished` or `failed` once; neither when the connection broke. */
export function pumpReply(stream: ReadableStream<Uint8Array>, isChunked: boolean, sink: ReplySink): void {
  const reader = stream.getReader();
  let isBroken = false;
  sink.onBroken(() => {
    isBroken = true;
    reader.cancel().catch(() => {});
  });
  const pump = async () => {
    for (;;) {
      const { done, value } = await reader.read();
      if (isBroken) return;
      if (done) break;
      if (value.length === 0) continue;
      if (isChunked) sink.send(`${value.length.toString(16)}\r\n`);
      sink.send(value);
      if (isChunked) sink.send('\r\n');
      await new Promise<void>((resolve) => sink.whenEmpty(resolve));
      if (isBroken) return;
    }
    if (isChunked) sink.send('0\r\n\r\n');
    sink.finished();
  };
  pump().catch((cause: unknown) => {
    if (!isBroken) sink.failed(cause);
  });
}
