/** A relative time that updates, with the exact time in the tooltip. */
import { useSyncExternalStore } from 'react';
import { exactTime, relativeTime } from '../format/relative-time.ts';

const tickMs = 10_000;
let nowMs = Date.now();
const listeners = new Set<() => void>();
setInterval(() => {
  nowMs = Date.now();
  for (const listener of listeners) listener();
}, tickMs);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** `at` is ISO 8601; without it, `none` is shown. */
export function Time({ at, none = 'Never' }: { readonly at: string | undefined; readonly none?: string }) {
  const now = useSyncExternalStore(subscribe, () => nowMs);
  if (at === undefined) return <span className="text-faint">{none}</span>;
  const date = new Date(at);
  return (
    <time dateTime={at} title={exactTime(date)} className="whitespace-nowrap">
      {relativeTime(date, new Date(Math.max(now, Date.now())))}
    </time>
  );
}
