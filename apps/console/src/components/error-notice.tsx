/** An error with its text, wait time and request ID. With `onRetry`, the wait is counted down and then retried. */
import { useEffect, useRef, useState } from 'react';
import { problemOf } from '../gateway/problem.ts';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';

export type ErrorNoticeProps = {
  readonly error: unknown;
  /** Replaces the default title for this kind of error. */
  readonly title?: string;
  readonly text?: string;
  /** Retries; called automatically after the gateway's `Retry-After`. */
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

/** Minimum wait, also when the gateway sends 0: no retry without a pause. */
const minSeconds = 1;

/** Restarts for each error and calls `onOver` once per error, also when the component renders again in between. */
function useCountdown(error: unknown, from: number | undefined, onOver: (() => void) | undefined): number | undefined {
  const [left, setLeft] = useState(from);
  const over = useRef(onOver);
  useEffect(() => {
    over.current = onOver;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another error with an equal wait restarts the countdown
  useEffect(() => {
    if (from === undefined) return setLeft(undefined);
    const endMs = performance.now() + Math.max(from, minSeconds) * 1_000;
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
