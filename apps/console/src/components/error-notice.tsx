/** What went wrong, how long to wait, and the request's id. A wait is counted down, and ends in another try where one is given. */
import { useEffect, useRef, useState } from 'react';
import { problemOf } from '../gateway/problem.ts';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';

export type ErrorNoticeProps = {
  readonly error: unknown;
  /** In place of what is said of errors of this kind. */
  readonly title?: string;
  readonly text?: string;
  /** Tries again; done by itself after the time that the gateway told. */
  readonly onRetry?: () => void;
};

export function ErrorNotice({ error, onRetry, ...words }: ErrorNoticeProps) {
  const { title, text, requestId, retryAfterSeconds } = { ...problemOf(error), ...words };
  const seconds = useCountdown(error, retryAfterSeconds, onRetry);
  return (
    <div role="alert" className="rounded-lg border border-bad/35 bg-bad-soft px-4 py-3 text-sm">
      <p className="font-semibold text-bad">{title}</p>
      <p className="mt-0.5 whitespace-pre-line text-ink wrap-anywhere">{text}</p>
      <div className="mt-1.5 flex flex-wrap items-center gap-x-4 gap-y-1 text-xs text-soft">
        {seconds !== undefined && seconds > 0 && (
          <span aria-live="off">
            {onRetry === undefined ? `Try again in ${seconds} s.` : `Trying again in ${seconds} s.`}
          </span>
        )}
        {requestId !== undefined && (
          <span className="flex min-w-0 items-center gap-1">
            <span className="truncate">Request ID {requestId}</span>
            <CopyButton text={requestId} what="request ID" />
          </span>
        )}
        {onRetry !== undefined && (
          <Button size="sm" onClick={onRetry}>
            Try again
          </Button>
        )}
      </div>
    </div>
  );
}

/** Of a refusal that tells none: nothing is asked again without a pause. */
const leastSeconds = 1;

/** Begins anew with each error, and calls `onOver` once for each: however often the page is drawn meanwhile, and while the answer is awaited. */
function useCountdown(error: unknown, from: number | undefined, onOver: (() => void) | undefined): number | undefined {
  const [left, setLeft] = useState(from);
  const over = useRef(onOver);
  useEffect(() => {
    over.current = onOver;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: an equal wait of another error is another wait
  useEffect(() => {
    if (from === undefined) return setLeft(undefined);
    const endMs = performance.now() + Math.max(from, leastSeconds) * 1_000;
    const look = () => {
      const seconds = Math.max(0, Math.ceil((endMs - performance.now()) / 1_000));
      setLeft(seconds);
      if (seconds > 0) return;
      clearInterval(timer);
      over.current?.();
    };
    const timer = setInterval(look, 500);
    look();
    return () => clearInterval(timer);
  }, [error, from]);
  return left;
}
