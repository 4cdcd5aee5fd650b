/** The call in flight, and the last outcome. */
import { useEffect, useRef, useState } from 'react';
import { noteCall } from './call-history.ts';
import type { PlannedCall } from './planned-call.ts';
import { type CallOutcome, isKeyRefused, sendCall } from './send-call.ts';

export type CallState = {
  readonly isBusy: boolean;
  readonly outcome: CallOutcome | undefined;
  readonly send: (call: PlannedCall, apiKey: string) => void;
  readonly stop: () => void;
};

export function useCall(onKeyRefused: () => void): CallState {
  const [outcome, setOutcome] = useState<CallOutcome>();
  const [isBusy, setBusy] = useState(false);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  return {
    isBusy,
    outcome,
    send(call, apiKey) {
      if (running.current !== undefined) return;
      const control = new AbortController();
      running.current = control;
      setBusy(true);
      sendCall(call, apiKey, control.signal)
        .then((next) => {
          setOutcome(next);
          if (!next.ok && isKeyRefused(next.error)) onKeyRefused();
          // Runs last: full tab storage must not hide the outcome of an executed call.
          noteCall(next);
        })
        // The user stopped the call.
        .catch(() => {})
        .finally(() => {
          running.current = undefined;
          setBusy(false);
        });
    },
    stop: () => running.current?.abort(),
  };
}
