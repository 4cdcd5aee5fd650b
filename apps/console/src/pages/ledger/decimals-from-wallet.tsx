/** Reads a token's decimals through the connected wallet, so that amounts can be entered as decimals. */
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { useAction } from '../../gateway/use-action.ts';
import { ConnectDialog } from '../../wallet/connect-dialog.tsx';
import type { InjectedWallet } from '../../wallet/injected-wallet.ts';
import { useWallet } from '../../wallet/use-wallet.ts';
import { WalletProblem } from '../../wallet/wallet-problem.ts';

export type DecimalsFromWalletProps = {
  /** Throws `WalletProblem`. Undefined when the token does not report its decimals. */
  readonly read: (wallet: InjectedWallet) => Promise<number | undefined>;
  readonly onRead: (decimals: number) => void;
};

export function DecimalsFromWallet({ read, onRead }: DecimalsFromWalletProps) {
  const { connected } = useWallet();
  const [isConnecting, setConnecting] = useState(false);
  /** Ignores a late response after the token has changed. */
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);
  const ask = useAction({
    async run(wallet: InjectedWallet) {
      const decimals = await read(wallet);
      if (decimals === undefined) throw new WalletProblem('failed', 'The token does not report its decimals.');
      return decimals;
    },
    onDone(decimals) {
      if (!isGone.current) onRead(decimals);
    },
    showsError: true,
  });
  return (
    <div className="mt-1">
      <Button
        tone="quiet"
        size="sm"
        busy={ask.busy}
        className="-ml-2.5"
        onClick={() => (connected === undefined ? setConnecting(true) : ask.run(connected.wallet))}
      >
        Read decimals with my wallet
      </Button>
      {ask.error !== undefined && <ErrorNotice error={ask.error} />}
      {isConnecting && (
        <ConnectDialog
          onConnected={({ wallet }) => {
            setConnecting(false);
            ask.run(wallet);
          }}
          onClose={() => setConnecting(false)}
        />
      )}
    </div>
  );
}
