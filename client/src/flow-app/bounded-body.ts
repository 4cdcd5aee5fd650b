/** Reads a request's body, bounded in bytes and in time, because the sender is not authenticated yet. */

export type BodyFailure = 'too-large' | 'too-slow' | 'broken';

export type BodyBounds = { readonly maxBytes: number; readonly maxMs: number };

/** Never throws. After a failure the rest of the body is not read. */
export async function readBounded(
  chunks: AsyncIterator<Uint8Array>,
  { maxBytes, maxMs }: BodyBounds,
): Promise<Uint8Array<ArrayBuffer> | BodyFailure> {
  const parts: Uint8Array[] = [];
  let length = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), maxMs);
  });
  const giveUp = (failure: BodyFailure) => {
    // Not awaited: a generator's `return` waits for the read in progress.
    Promise.resolve(chunks.return?.()).catch(() => undefined);
    return failure;
  };
  try {
    for (;;) {
      const next = await Promise.race([chunks.next(), late]);
      if (next === 'late') return giveUp('too-slow');
      if (next.done === true) return joined(parts, length);
      length += next.value.length;
      if (length > maxBytes) return giveUp('too-large');
      parts.push(next.value);
    }
  } catch {
    return 'broken';
  } finally {
    clearTimeout(timer);
  }
}

export function chunksOf(body: ReadableStream<Uint8Array> | null): AsyncIterator<Uint8Array> {
  const reader = body?.getReader();
  return {
    next: async () => {
      const read = await reader?.read();
      return read === undefined || read.done ? { done: true, value: undefined } : { done: false, value: read.value };
    },
    return: async () => {
      await reader?.cancel();
      return { done: true, value: undefined };
    },
  };
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}
