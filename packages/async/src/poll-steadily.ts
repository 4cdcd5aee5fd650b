/** Polls at a steady interval, and sooner while polls fail. */

/** After a failed poll: the store was unavailable for a moment, and messages may have been lost in the same moment. */
export const failedPollMs = 1_000;

/**
 * Runs `poll` every `pollMs`; while `isFailing`, every second. `poll` handles its own errors and never rejects. The returned function ends it. The timer does not
 * keep the process alive.
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
