/** Live events of a session while the page is open (contract/events#streams). */
import type { FlowEvent } from '@flowgate/client/flow-wire';
import { useEffect, useState } from 'react';
import { useGateway } from '../../../gateway/gateway-context.tsx';

export const maxEvents = 200;
/** Pause before reconnecting, after the client's own retries have failed. */
const againMs = 15_000;

export type SessionEvents = { readonly events: readonly FlowEvent[]; readonly isLive: boolean };

/** Includes events from before the page was opened. */
export function useSessionEvents(sessionId: string): SessionEvents {
  const client = useGateway();
  const [events, setEvents] = useState<readonly FlowEvent[]>([]);
  const [isLive, setLive] = useState(false);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    let last = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const follow = async () => {
      setLive(true);
      for await (const event of client.flow.follow(sessionId, { after: last, signal })) {
        last = event.sequence;
        setEvents((before) => [...before, event].slice(-maxEvents));
      }
    };
    const begin = () => {
      follow().then(
        () => setLive(false),
        () => {
          if (signal.aborted) return;
          setLive(false);
          timer = setTimeout(begin, againMs);
        },
      );
    };
    begin();
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [client, sessionId]);
  return { events, isLive };
}
