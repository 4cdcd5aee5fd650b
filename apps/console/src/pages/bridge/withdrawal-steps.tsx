/** The next transaction of a withdrawal on L1: proof or finalization, signed by the wallet. */
import type { Withdrawal } from '@flowgate/client';
import { useGateway } from '../../gateway/gateway-context.tsx';
import { isSameAddress } from '../../wallet/ask-wallet.ts';
import { useLinkedWallets } from '../ledger/linked-wallets.ts';
import { SignedStep } from './signed-step.tsx';

export type WithdrawalStepsProps = { readonly withdrawal: Withdrawal; readonly onSent: () => void };

const words = {
  prove: {
    title: 'Prove withdrawal',
    lead: 'Proves to L1 that the withdrawal is on L2. The proof starts the dispute window.',
    done: 'Proof sent on L1',
  },
  proveAgain: {
    title: 'Prove with your own wallet',
    lead: 'The current proof was sent by another account, or its state root is disputed. Your own proof uses an undisputed root and starts its own dispute window.',
    done: 'Proof sent on L1',
  },
  finalize: {
    title: 'Finalize withdrawal',
    lead: 'Pays out the amount on L1.',
    done: 'Withdrawal finalized on L1',
  },
} as const;

export function WithdrawalSteps({ withdrawal, onSent }: WithdrawalStepsProps) {
  const client = useGateway();
  const linked = useLinkedWallets() ?? [];
  const { status, withdrawalId, proofSubmitter } = withdrawal;
  const step = stepOf(status);
  const own = proofSubmitter !== undefined && linked.some(({ address }) => isSameAddress(address, proofSubmitter));
  // Nothing to send while the user's own undisputed proof is waiting.
  if (step === undefined || (status === 'in_dispute_window' && (own || proofSubmitter === undefined))) return null;
  const isSecond = status === 'in_dispute_window' || status === 'challenged';
  return (
    <SignedStep
      // Resets the error for each step.
      key={step}
      {...words[isSecond ? 'proveAgain' : step]}
      refused="Not yet"
      isSecondary={isSecond}
      prepare={(input) => client.withdrawals[step](withdrawalId, input)}
      onSent={onSent}
    />
  );
}

function stepOf(status: Withdrawal['status']): 'prove' | 'finalize' | undefined {
  if (status === 'ready_to_prove' || status === 'in_dispute_window' || status === 'challenged') return 'prove';
  return status === 'ready_to_finalise' ? 'finalize' : undefined;
}
