/** The next transaction of a withdrawal on L1: its proof, or its end, signed by the wallet. */
import { FlowgateError, type PreparedTransaction, type Withdrawal } from '@flowgate/client';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { useToast } from '../../components/toast.tsx';
import { useGateway } from '../../gateway/gateway-context.tsx';
import { useAction } from '../../gateway/use-action.ts';
import { isSameAddress } from '../../wallet/ask-wallet.ts';
import { SignTransactionsDialog } from '../../wallet/sign-transactions-dialog.tsx';
import { useWallet } from '../../wallet/use-wallet.ts';
import { useLinkedWallets } from '../ledger/linked-wallets.ts';
import { Notice } from './transfer-state.tsx';

export type WithdrawalStepsProps = { readonly withdrawal: Withdrawal; readonly onSent: () => void };

type Step = 'prove' | 'finalise';

const steps: Readonly<Record<Step, readonly [title: string, lead: string, done: string]>> = {
  prove: [
    'Prove the withdrawal',
    'Shows L1 that L2 holds it. The dispute window begins with it.',
    'The proof is on L1',
  ],
  finalise: ['Finalise the withdrawal', 'Ends it: what was withdrawn is paid out on L1.', 'It is finalised on L1'],
};

const secondProof = [
  'Prove it with your own wallet',
  'The proof that counts was sent by another account, or its state root is disputed. A proof of your own, against an undisputed root, does not depend on it. A dispute window begins with it.',
  'The proof is on L1',
] as const;

export function WithdrawalSteps({ withdrawal, onSent }: WithdrawalStepsProps) {
  const client = useGateway();
  const toast = useToast();
  const { connected } = useWallet();
  const linked = useLinkedWallets() ?? [];
  const [transactions, setTransactions] = useState<readonly PreparedTransaction[]>();
  const { status, withdrawalId, proofSubmitter } = withdrawal;
  const step = stepOf(status);
  const own = proofSubmitter !== undefined && linked.some(({ address }) => isSameAddress(address, proofSubmitter));
  // Whoever sends pays the gas alone: the connected account, where it is a linked one.
  const sender = linked.find(({ address }) => connected !== undefined && isSameAddress(address, connected.account));
  const prepare = useAction({
    run: async (which: Step) =>
      client.withdrawals[which](withdrawalId, sender?.kind === 'account' ? { wallet: sender.address } : {}),
    onDone: (prepared) => setTransactions(prepared.transactions),
    showsError: true,
  });
  // While an undisputed proof of one's own waits, there is nothing to send.
  if (step === undefined || (status === 'in_dispute_window' && (own || proofSubmitter === undefined))) return null;
  const isSecond = status === 'in_dispute_window' || status === 'challenged';
  const [title, lead, done] = isSecond ? secondProof : steps[step];
  const isTooEarly = prepare.error instanceof FlowgateError && prepare.error.status === 409;
  return (
    <div className="mt-5 border-t border-line pt-5">
      {isTooEarly && prepare.error instanceof Error && (
        <Notice tone="warn">
          <p className="font-medium">Not yet</p>
          <p>{prepare.error.message}</p>
        </Notice>
      )}
      {prepare.error !== undefined && !isTooEarly && (
        <div className="mb-4">
          <ErrorNotice error={prepare.error} />
        </div>
      )}
      <Button tone={isSecond ? 'secondary' : 'primary'} busy={prepare.busy} onClick={() => prepare.run(step)}>
        {prepare.busy ? 'Preparing …' : title}
      </Button>
      <p className="mt-2 text-sm text-soft">{lead}</p>
      {transactions !== undefined && (
        <SignTransactionsDialog
          title={title}
          lead={lead}
          transactions={transactions}
          onDone={() => {
            setTransactions(undefined);
            toast({ title: done, text: 'The gateway reads it within seconds.', tone: 'good' });
            onSent();
          }}
          onClose={() => setTransactions(undefined)}
        />
      )}
    </div>
  );
}

function stepOf(status: Withdrawal['status']): Step | undefined {
  if (status === 'ready_to_prove' || status === 'in_dispute_window' || status === 'challenged') return 'prove';
  return status === 'ready_to_finalise' ? 'finalise' : undefined;
}
