/** Shows the connected wallet and account, or a button to connect one. */

import { useState } from 'react';
import { Button, type ButtonProps } from '../components/button.tsx';
import { ChevronDown, Unplug, UserRound, Wallet } from '../components/icons.tsx';
import { Menu } from '../components/menu.tsx';
import { useToast } from '../components/toast.tsx';
import { shortened } from '../format/shortened.ts';
import { problemOf } from '../gateway/problem.ts';
import { ConnectDialog, WalletIcon } from './connect-dialog.tsx';
import { useWallet } from './use-wallet.ts';

export type WalletButtonProps = {
  /** Tone of the connect button. */
  readonly tone?: NonNullable<ButtonProps['tone']>;
};

export function WalletButton({ tone = 'secondary' }: WalletButtonProps) {
  const { connected, chooseAccount, disconnect } = useWallet();
  const [isConnecting, setConnecting] = useState(false);
  const toast = useToast();
  if (connected === undefined)
    return (
      <>
        <Button tone={tone} onClick={() => setConnecting(true)}>
          <Wallet aria-hidden="true" className="size-4" />
          Connect wallet
        </Button>
        {isConnecting && (
          <ConnectDialog onConnected={() => setConnecting(false)} onClose={() => setConnecting(false)} />
        )}
      </>
    );
  const { wallet, account } = connected;
  return (
    <Menu
      trigger={
        <Button title={`${wallet.name}: ${account}`}>
          <WalletIcon wallet={wallet} className="size-5" />
          <span className="sr-only">{wallet.name}, account</span>
          <code>{shortened(account, 6, 4)}</code>
          <ChevronDown aria-hidden="true" className="size-4 text-faint" />
        </Button>
      }
      items={[
        {
          label: 'Switch account',
          icon: <UserRound aria-hidden="true" className="size-4" />,
          onSelect: () => void chooseAccount().catch((error: unknown) => toast({ ...problemOf(error), tone: 'bad' })),
        },
        {
          label: 'Disconnect',
          icon: <Unplug aria-hidden="true" className="size-4" />,
          onSelect: disconnect,
        },
      ]}
    />
  );
}
