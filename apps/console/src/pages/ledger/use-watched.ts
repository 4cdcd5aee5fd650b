/** The current state of a record, followed until it is final or the page is left. */
import { useEffect, useState } from 'react';

export type Watched<T> = { readonly record: T | undefined; readonly error: unknown; readonly again: () => void };

const everyMs = 2_000;

/** `watch` is a `watch` method of the client. */
export function useWatched<T>(
  id: string,
  watch: (id: string, options: { readonly everyMs: number; readonly signal: AbortSignal }) => AsyncIterable<T>,
): Watched<T> {
  const [state, setState] = useState<{ readonly id: string; readonly record?: T; readonly error?: unknown }>({ id });
  const [attempt, setAttempt] = useState(0);
  const isSeen = useIsSeen();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `watch` is a new function on each render; a new attempt restarts it
  useEffect(() => {
    if (!isSeen) return;
    const ending = new AbortController();
    const follow = async () => {
      try {
        for await (const record of watch(id, { everyMs, signal: ending.signal })) setState({ id, record });
      } catch (error) {
        if (!ending.signal.aborted) setState((before) => ({ ...(before.id === id ? before : {}), id, error }));
      }
    };
    void follow();
    return () => ending.abort();
  }, [id, attempt, isSeen]);
  const isOfThis = state.id === id;
  return {
    record: isOfThis ? state.record : undefined,
    error: isOfThis ? state.error : undefined,
    again: () => {
      setState(({ id: of, record }) => ({ id: of, ...(record !== undefined && { record }) }));
      setAttempt(attempt + 1);
    },
  };
}

/** Background tabs stop polling, so they do not use up the rate limit. */
function useIsSeen(): boolean {
  const [isSeen, setSeen] = useState(!document.hidden);
  useEffect(() => {
    const look = () => setSeen(!document.hidden);
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  return isSeen;
}
