/** Links a wallet: it signs the gateway's challenge (EIP-4361). */
import type { QueryKey } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogButtons } from '../../components/dialog.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Field, TextInput } from '../../components/field.tsx';
import { useDraft } from '../../components/use-draft.ts';
import { fieldProblems } from '../../gateway/field-problems.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import { useAction } from '../../gateway/use-action.ts';
import { useNetworkNames } from '../../gateway/use-network-names.ts';
import { signMessage } from '../../wallet/ask-wallet.ts';
import { ConnectDialog, WalletIcon } from '../../wallet/connect-dialog.tsx';
import { useWallet } from '../../wallet/use-wallet.ts';
import type { ConnectedWallet } from '../../wallet/wallet-session.ts';

export type LinkWalletDialogProps = { readonly changes: readonly QueryKey[]; readonly onClose: () => void };

const empty = { label: '' };

export function LinkWalletDialog({ changes, onClose }: LinkWalletDialogProps) {
  const { connected } = useWallet();
  // A wallet chosen in this dialog is confirmed; one that was connected before is shown first.
  if (connected === undefined) return <ConnectDialog onConnected={() => {}} onClose={onClose} />;
  return <LinkForm connected={connected} changes={changes} onClose={onClose} />;
}

type LinkFormProps = LinkWalletDialogProps & { readonly connected: ConnectedWallet };

function LinkForm({ connected, changes, onClose }: LinkFormProps) {
  const client = useGateway();
  const { networks } = useNetworkNames();
  const { chooseAccount, disconnect } = useWallet();
  const [draft, setDraft, clearDraft] = useDraft('link-wallet', empty);
  const [accountError, setAccountError] = useState<unknown>();
  const { wallet, account, chainId } = connected;
  const link = useAction({
    async run({ label }: typeof empty) {
      // A contract wallet is verified on its chain; for other accounts any chain of the gateway works.
      const isServed = networks?.some((network) => network.chainId === chainId) === true;
      const { message } = await client.wallets.challenge({ address: account, ...(isServed ? { chainId } : {}) });
      const signature = await signMessage(wallet, account, message);
      return client.wallets.link({ message, signature, ...(label.trim() === '' ? {} : { label: label.trim() }) });
    },
    changes,
    done: () => 'Wallet linked',
    onDone: () => {
      clearDraft();
      onClose();
    },
    showsError: true,
  });
  const problems = fieldProblems(link.error, ['label']);
  const shownError = problems.isElsewhere ? link.error : accountError;
  return (
    <Dialog
      title="Link wallet"
      lead="Your wallet asks you to sign a message. It proves that the wallet is yours and authorizes nothing."
      onClose={onClose}
    >
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          setAccountError(undefined);
          link.run(draft);
        }}
      >
        <div className="flex flex-wrap items-center gap-3 rounded-lg border border-line bg-raised p-3">
          <WalletIcon wallet={wallet} className="size-8" />
          <div className="min-w-0 flex-1 basis-48">
            <p className="text-sm text-soft">
              <bdi>{wallet.name}</bdi>
            </p>
            <code className="break-all">{account}</code>
          </div>
        </div>
        <div className="-mt-2 flex flex-wrap gap-1">
          <Button
            tone="quiet"
            size="sm"
            onClick={() => {
              link.reset();
              setAccountError(undefined);
              chooseAccount().catch(setAccountError);
            }}
          >
            Switch account
          </Button>
          <Button tone="quiet" size="sm" onClick={disconnect}>
            Switch wallet
          </Button>
        </div>
        <Field label="Label" optional hint="A name for this wallet, such as “savings”." problem={problems.at.label}>
          {(control) => (
            <TextInput
              {...control}
              maxLength={200}
              autoComplete="off"
              value={draft.label}
              onChange={({ target }) => setDraft({ label: target.value })}
            />
          )}
        </Field>
        {shownError !== undefined && <ErrorNotice error={shownError} />}
        <p role="status" className="text-sm text-soft empty:hidden">
          {link.busy ? 'Check your wallet: it asks you to sign the message.' : ''}
        </p>
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" busy={link.busy}>
            {link.busy ? 'Waiting for wallet…' : 'Sign and link'}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
