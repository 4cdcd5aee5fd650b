/** The next transaction of a deposit or withdrawal: the gateway prepares it, the wallet signs and sends it. */
import { FlowgateError, type PreparedTransaction, type PreparedTransactions } from '@flowgate/client';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { useToast } from '../../components/toast.tsx';
import { useAction } from '../../gateway/use-action.ts';
import { isSameAddress } from '../../wallet/ask-wallet.ts';
import { SignTransactionsDialog } from '../../wallet/sign-transactions-dialog.tsx';
import { useWallet } from '../../wallet/use-wallet.ts';
import { useLinkedWallets } from '../ledger/linked-wallets.ts';
import { Notice } from './transfer-state.tsx';

export type SignedStepProps = {
  readonly title: string;
  readonly lead: string;
  /** Title of the toast after the transaction is in a block. */
  readonly done: string;
  /** Title of the notice for 409: the step is not possible now. */
  readonly refused: string;
  /** Not the primary button of the page. */
  readonly isSecondary?: boolean;
  readonly prepare: (input: { readonly wallet?: string }) => Promise<PreparedTransactions>;
  readonly onSent: () => void;
};

export function SignedStep({ title, lead, done, refused, isSecondary = false, prepare, onSent }: SignedStepProps) {
  const toast = useToast();
  const { connected } = useWallet();
  const linked = useLinkedWallets() ?? [];
  const [transactions, setTransactions] = useState<readonly PreparedTransaction[]>();
  // The sender only pays the gas: the connected account if it is linked, else the gateway chooses.
  const sender = linked.find(({ address }) => connected !== undefined && isSameAddress(address, connected.account));
  const { run, busy, error } = useAction({
    run: () => prepare(sender?.kind === 'account' ? { wallet: sender.address } : {}),
    onDone: (prepared) => setTransactions(prepared.transactions),
    showsError: true,
  });
  const conflict = error instanceof FlowgateError && error.status === 409 ? error : undefined;
  return (
    <div className="mt-5 border-t border-line pt-5">
      {conflict !== undefined && (
        <Notice tone="warn">
          <p className="font-medium">{refused}</p>
          <p>{conflict.message}</p>
        </Notice>
      )}
      {error !== undefined && conflict === undefined && (
        <div className="mb-4">
          <ErrorNotice error={error} />
        </div>
      )}
      <Button tone={isSecondary ? 'secondary' : 'primary'} busy={busy} onClick={() => run(undefined)}>
        {busy ? 'Preparing…' : title}
      </Button>
      <p className="mt-2 text-sm text-soft text-pretty">{lead}</p>
      {transactions !== undefined && (
        <SignTransactionsDialog
          title={title}
          lead={lead}
          transactions={transactions}
          onDone={() => {
            setTransactions(undefined);
            toast({ title: done, text: 'The gateway reads it from the chain within seconds.', tone: 'good' });
            onSent();
          }}
          onClose={() => setTransactions(undefined)}
        />
      )}
    </div>
  );
}
