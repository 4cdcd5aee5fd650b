/** Provides the playground's key; asks the user to choose one if needed. */
import { useState, useSyncExternalStore } from 'react';
import { type ConsoleKey, consoleKey } from '../../gateway/console-key.ts';
import { useSession } from '../../session/session-context.tsx';

type Asking = { readonly wasRefused: boolean; readonly work?: (apiKey: string) => void };

export type KeyFor = {
  readonly personId: string;
  readonly currentKey: ConsoleKey | undefined;
  readonly asking: Asking | undefined;
  /** Calls `work` with the current key, or after the user has chosen one. */
  readonly withKey: (work: (apiKey: string) => void) => void;
  readonly ask: () => void;
  /** Reports that the gateway refused the key. */
  readonly refused: () => void;
  readonly given: (apiKey: string) => void;
  readonly dismiss: () => void;
};

export function useKeyFor(): KeyFor {
  const { state } = useSession();
  const personId = state.kind === 'signed-out' ? '' : state.person.id;
  const stored = useSyncExternalStore(consoleKey.subscribe, consoleKey.now);
  const currentKey = stored?.personId === personId ? stored : undefined;
  const [asking, setAsking] = useState<Asking>();
  return {
    personId,
    currentKey,
    asking,
    withKey(work) {
      if (currentKey === undefined) setAsking({ wasRefused: false, work });
      else work(currentKey.apiKey);
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
