/** The next transaction of a withdrawal on L1: its proof, or its end, signed by the wallet. */
import type { Withdrawal } from '@flowgate/client';
import { useGateway } from '../../gateway/gateway-context.tsx';
import { isSameAddress } from '../../wallet/ask-wallet.ts';
import { useLinkedWallets } from '../ledger/linked-wallets.ts';
import { SignedStep } from './signed-step.tsx';

export type WithdrawalStepsProps = { readonly withdrawal: Withdrawal; readonly onSent: () => void };

const words = {
  prove: {
    title: 'Prove the withdrawal',
    lead: 'Shows L1 that L2 has it. The dispute window begins with the proof.',
    done: 'The proof is on L1',
  },
  proveAgain: {
    title: 'Prove it with your own wallet',
    lead: 'The proof that counts was sent by another account, or its state root is disputed. A proof of your own, against an undisputed root, does not depend on it. It begins its own dispute window.',
    done: 'The proof is on L1',
  },
  finalise: {
    title: 'Finalize the withdrawal',
    lead: 'Ends it: the amount is paid out on L1.',
    done: 'It is finalized on L1',
  },
} as const;

export function WithdrawalSteps({ withdrawal, onSent }: WithdrawalStepsProps) {
  const client = useGateway();
  const linked = useLinkedWallets() ?? [];
  const { status, withdrawalId, proofSubmitter } = withdrawal;
  const step = stepOf(status);
  const own = proofSubmitter !== undefined && linked.some(({ address }) => isSameAddress(address, proofSubmitter));
  // While an undisputed proof of one's own waits, there is nothing to send.
  if (step === undefined || (status === 'in_dispute_window' && (own || proofSubmitter === undefined))) return null;
  const isSecond = status === 'in_dispute_window' || status === 'challenged';
  return (
    <SignedStep
      // The error of one step is not that of the next.
      key={step}
      {...words[isSecond ? 'proveAgain' : step]}
      refused="Not yet"
      isSecondary={isSecond}
      prepare={(input) => client.withdrawals[step](withdrawalId, input)}
      onSent={onSent}
    />
  );
}

function stepOf(status: Withdrawal['status']): 'prove' | 'finalise' | undefined {
  if (status === 'ready_to_prove' || status === 'in_dispute_window' || status === 'challenged') return 'prove';
  return status === 'ready_to_finalise' ? 'finalise' : undefined;
}
