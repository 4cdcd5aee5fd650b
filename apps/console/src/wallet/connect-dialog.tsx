/** Chooses and connects a wallet. */

import { useState } from 'react';
import { Dialog } from '../components/dialog.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { Wallet } from '../components/icons.tsx';
import type { InjectedWallet } from './injected-wallet.ts';
import { useWallet } from './use-wallet.ts';
import type { ConnectedWallet } from './wallet-session.ts';

export type ConnectDialogProps = {
  readonly onConnected: (connected: ConnectedWallet) => void;
  readonly onClose: () => void;
};

export function ConnectDialog({ onConnected, onClose }: ConnectDialogProps) {
  const { wallets, connect } = useWallet();
  const [asked, setAsked] = useState<InjectedWallet>();
  const [error, setError] = useState<unknown>();
  const choose = async (wallet: InjectedWallet) => {
    setAsked(wallet);
    setError(undefined);
    try {
      onConnected(await connect(wallet));
    } catch (reason) {
      setError(reason);
    }
    setAsked(undefined);
  };
  return (
    <Dialog
      title="Connect wallet"
      lead="Your wallet’s keys never leave it. The gateway does not receive them."
      onClose={onClose}
    >
      {wallets.length === 0 ? (
        <EmptyState icon={Wallet} title="No wallet found">
          Install a wallet extension, such as MetaMask, Rabby or Coinbase Wallet. On a phone, open the console in your
          wallet’s own browser.
        </EmptyState>
      ) : (
        <ul className="flex flex-col gap-2">
          {wallets.map((wallet) => (
            <li key={wallet.id}>
              <button
                type="button"
                disabled={asked !== undefined}
                onClick={() => void choose(wallet)}
                className="flex h-14 w-full items-center gap-3 rounded-lg border border-line px-4 text-left hover:border-line-strong hover:bg-raised disabled:opacity-70"
              >
                <WalletIcon wallet={wallet} className="size-8" />
                <bdi className="min-w-0 flex-1 truncate font-medium">{wallet.name}</bdi>
                {asked === wallet && (
                  <span role="status" className="text-sm text-soft">
                    Check your wallet…
                  </span>
                )}
              </button>
            </li>
          ))}
        </ul>
      )}
      {error !== undefined && (
        <div className="mt-4">
          <ErrorNotice error={error} />
        </div>
      )}
    </Dialog>
  );
}

export function WalletIcon({ wallet, className }: { readonly wallet: InjectedWallet; readonly className: string }) {
  return wallet.icon === undefined ? (
    <span aria-hidden="true" className={`grid shrink-0 place-items-center rounded-md bg-raised text-soft ${className}`}>
      <Wallet className="size-3/5" />
    </span>
  ) : (
    <img src={wallet.icon} alt="" className={`shrink-0 rounded-md ${className}`} />
  );
}
