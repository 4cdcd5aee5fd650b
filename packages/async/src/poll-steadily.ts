/** Polls at a steady interval, and sooner while polls fail. */

/** The interval after a failed poll: the store was unavailable, and messages may have been lost at the same time. */
export const failedPollMs = 1_000;

/**
 * Runs `poll` every `pollMs`, and every second while `isFailing` returns true. `poll` handles its own errors and never
 * rejects. The returned function ends it. The timer does not prevent the process from exiting.
 */
export function pollSteadily(pollMs: number, poll: () => Promise<void>, isFailing: () => boolean): () => void {
  const stepMs = Math.min(pollMs, failedPollMs);
  let sinceMs = 0;
  const timer = setInterval(() => {
    sinceMs += stepMs;
    if (!isFailing() && sinceMs < pollMs) return;
    sinceMs = 0;
    void poll();
  }, stepMs);
  timer.unref();
  return () => clearInterval(timer);
}
