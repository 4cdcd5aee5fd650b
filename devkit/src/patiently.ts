/** Retries while the gateway answers 503: during an installation a busy disk delays its database. */

const tries = 30;
const pauseMs = 500;

/** `work` must be safe to repeat. Throws its error when the error is not a 503, or when the last attempt failed. */
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
