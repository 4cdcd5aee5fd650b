/** The key with which the playground calls; whoever needs one waits until the person has chosen. */
import { useState, useSyncExternalStore } from 'react';
import { type ConsoleKey, consoleKey } from '../../gateway/console-key.ts';
import { useSession } from '../../session/session-context.tsx';

type Asking = { readonly wasRefused: boolean; readonly work?: (apiKey: string) => void };

export type KeyFor = {
  readonly personId: string;
  readonly kept: ConsoleKey | undefined;
  readonly asking: Asking | undefined;
  /** With the key that there is, or the one that is chosen now. */
  readonly withKey: (work: (apiKey: string) => void) => void;
  readonly ask: () => void;
  /** The gateway does not take the key any more. */
  readonly refused: () => void;
  readonly given: (apiKey: string) => void;
  readonly dismiss: () => void;
};

export function useKeyFor(): KeyFor {
  const { state } = useSession();
  const personId = state.kind === 'signed-out' ? '' : state.person.id;
  const stored = useSyncExternalStore(consoleKey.subscribe, consoleKey.now);
  const kept = stored?.personId === personId ? stored : undefined;
  const [asking, setAsking] = useState<Asking>();
  return {
    personId,
    kept,
    asking,
    withKey(work) {
      if (kept === undefined) setAsking({ wasRefused: false, work });
      else work(kept.apiKey);
    },
    ask: () => setAsking({ wasRefused: false }),
    refused() {
      consoleKey.keep(undefined);
      setAsking({ wasRefused: true });
    },
    given(apiKey) {
      setAsking(undefined);
      asking?.work?.(apiKey);
    },
    dismiss: () => setAsking(undefined),
  };
}
