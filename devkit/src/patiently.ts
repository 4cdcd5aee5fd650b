/** Repeats what may be repeated while the gateway says that it cannot serve right now: a disk that is busy with the installation makes its database late. */

const tries = 30;
const pauseMs = 500;

/** `work` can be done any number of times. Throws what it throws when that is no 503, or was one too often. */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await work();
    } catch (error) {
      if (tried === tries || !isUnavailable(error)) throw error;
      await Bun.sleep(pauseMs);
    }
  }
}

function isUnavailable(error: unknown): boolean {
  return error instanceof Error && 'status' in error && error.status === 503;
}
