/** The state of an app that prepares a transaction, lets the wallet sign it and sends it; and the step that waits for a block. */

import type { RenderRequest, StepSpec } from '@flowgate/client/flow-wire';
import { type Hex, isHex } from 'viem';
import { isPrepared, type PreparedTransaction } from './prepared-transaction.ts';

export function pendingStep(transactionHash: Hex): StepSpec {
  return {
    stepId: 'pending',
    title: 'Waiting for a block',
    description: `The node has transaction ${transactionHash}, but no block includes it yet.`,
    fields: [],
    actions: [
      { actionId: 'check', label: 'Look again' },
      { actionId: 'change', label: 'Start again' },
    ],
    options: { transactionHash },
  };
}

export function preparedIn(state: RenderRequest['state']): PreparedTransaction {
  const transaction = state['transaction'];
  if (!isPrepared(transaction)) throw new Error('The state holds no prepared transaction.');
  return transaction;
}

export function hashIn(state: RenderRequest['state']): Hex {
  const hash = state['transactionHash'];
  if (!isHex(hash)) throw new Error('The state holds no transaction hash.');
  return hash;
}
