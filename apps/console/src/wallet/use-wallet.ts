/** React hook for the tab's wallet. */
import { useSyncExternalStore } from 'react';
import { openWalletSession, type WalletSession, type WalletState } from './wallet-session.ts';

/** One session per tab: a wallet is connected for all pages. */
const session = openWalletSession();

export function useWallet(): WalletState & Omit<WalletSession, 'state' | 'subscribe'> {
  const { connect, chooseAccount, disconnect } = session;
  return { ...useSyncExternalStore(session.subscribe, session.state), connect, chooseAccount, disconnect };
}
