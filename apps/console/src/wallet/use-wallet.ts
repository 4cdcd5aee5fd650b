/** The tab's wallet for components. */
import { useSyncExternalStore } from 'react';
import { openWalletSession, type WalletSession, type WalletState } from './wallet-session.ts';

/** Of the whole tab: a wallet is connected once for all pages. */
const session = openWalletSession();

export function useWallet(): WalletState & Omit<WalletSession, 'state' | 'subscribe'> {
  const { connect, chooseAccount, disconnect } = session;
  return { ...useSyncExternalStore(session.subscribe, session.state), connect, chooseAccount, disconnect };
}
