/** React context of the session. */
import { createContext, use, useSyncExternalStore } from 'react';
import type { ConsoleConfig } from './console-config.ts';
import type { Session, SessionState } from './session.ts';

export type SessionDeps = { readonly config: ConsoleConfig; readonly session: Session };

const SessionContext = createContext<SessionDeps | undefined>(undefined);

export const SessionProvider = SessionContext.Provider;

export function useSession(): SessionDeps & { readonly state: SessionState } {
  const parts = use(SessionContext);
  if (parts === undefined) throw new Error('There is no session above this component.');
  return { ...parts, state: useSyncExternalStore(parts.session.subscribe, parts.session.state) };
}
