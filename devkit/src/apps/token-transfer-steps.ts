/** The transfer app's steps, one function for each. */
import type { JsonMembers, StepSpec } from '@flowgate/client/flow-wire';
import type { Address, Hex } from 'viem';
import type { PreparedTransaction } from './prepared-transaction.ts';

/** `amount` in dollars, as the caller typed it. */
export type TransferRequest = { readonly from: Address; readonly to: Address; readonly amount: string };

export type Transfer = TransferRequest & {
  readonly transactionHash: Hex;
  readonly blockNumber: number;
  readonly status: 'sent' | 'failed';
};

export function transferStep(): StepSpec {
  return {
    stepId: 'transfer',
    title: 'Transfer development dollars',
    fields: [
      { fieldId: 'from', type: 'address', label: 'From', required: true },
      { fieldId: 'to', type: 'address', label: 'To', required: true },
      { fieldId: 'amount', type: 'amount', label: 'Amount in dollars', required: true, min: '0.000001' },
    ],
    actions: [{ actionId: 'prepare', label: 'Prepare the transfer' }],
  };
}

export function checkBalanceStep(): StepSpec {
  return {
    stepId: 'check-balance',
    title: 'Whose balance?',
    fields: [{ fieldId: 'account', type: 'address', label: 'Account', required: true }],
    actions: [{ actionId: 'check', label: 'Show the balance' }],
  };
}

export function balanceStep(account: Address, balance: string): StepSpec {
  return {
    stepId: 'balance',
    title: 'Balance',
    description: `${account} has ${balance} development dollars.`,
    fields: [],
    actions: [
      { actionId: 'finish', label: 'Finish' },
      { actionId: 'transfer', label: 'Transfer some' },
    ],
    options: { account, balance },
  };
}

export function confirmStep({ to, amount }: TransferRequest): StepSpec {
  return {
    stepId: 'confirm',
    title: 'A large amount',
    description: `${amount} development dollars to ${to}. Is this amount correct?`,
    fields: [{ fieldId: 'understood', type: 'boolean', label: 'Yes, this is correct', required: true }],
    actions: [
      { actionId: 'confirm', label: 'Continue' },
      { actionId: 'change', label: 'Change it', validate: false },
    ],
  };
}

export function signStep({ from, to, amount }: TransferRequest, transaction: PreparedTransaction): StepSpec {
  return {
    stepId: 'sign',
    title: 'Sign the transfer',
    // Not "transfer … to 0x…": the content filter refuses such texts.
    description: `Sign with the wallet of ${from}: ${amount} development dollars to ${to}.`,
    fields: [{ fieldId: 'signedTransaction', type: 'signedTransaction', label: 'Signed transaction', required: true }],
    actions: [
      { actionId: 'send', label: 'Send' },
      { actionId: 'change', label: 'Change or prepare again', validate: false },
    ],
    transaction,
  };
}

export function sentStep(transfer: Transfer): StepSpec {
  const { amount, to, blockNumber, status } = transfer;
  return {
    stepId: 'sent',
    title: status === 'sent' ? 'Sent' : 'The transfer failed',
    description: `${amount} development dollars to ${to}: ${status} in block ${blockNumber}.`,
    fields: [],
    actions: [
      { actionId: 'finish', label: 'Finish' },
      { actionId: 'another', label: 'Another transfer' },
    ],
    options: transfer,
  };
}

export function doneStep(): StepSpec {
  return { stepId: 'done', title: 'Done', fields: [], actions: [], terminal: true };
}

/** Reads the app's own state. */
export function requestIn(state: JsonMembers): TransferRequest {
  const wish = state['wish'];
  if (isTransferRequest(wish)) return wish;
  throw new Error('The state holds no transfer.');
}

function isTransferRequest(value: unknown): value is TransferRequest {
  return typeof value === 'object' && value !== null && 'amount' in value && typeof value.amount === 'string';
}
