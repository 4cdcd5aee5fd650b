/** The bridge app's steps, one function for each. */
import type { JsonMembers, StepSpec } from '@flowgate/client/flow-wire';
import type { Progress } from './bridge-progress.ts';
import { type BridgeState, type Purpose, type StoredTransfer, sideOf, type Transfer } from './bridge-transfer.ts';
import type { PreparedTransaction } from './prepared-transaction.ts';

export const bridgeStepIds = ['choose', 'continue', 'sign', 'mining', 'waiting', 'completed', 'failed'] as const;

export function chooseStep(symbol: string, note?: string): StepSpec {
  return {
    stepId: 'choose',
    title: 'What do you want to transfer?',
    ...(note === undefined ? {} : { description: note }),
    fields: [
      {
        ...{ fieldId: 'direction', type: 'select', label: 'Direction', required: true, value: 'deposit' },
        options: [
          { value: 'deposit', label: 'Deposit: from L1 to L2' },
          { value: 'withdrawal', label: 'Withdrawal: from L2 to L1' },
        ],
      },
      {
        ...{ fieldId: 'asset', type: 'select', label: 'Asset', required: true, value: 'ether' },
        options: [
          { value: 'ether', label: 'Ether' },
          { value: 'token', label: symbol },
        ],
      },
      { fieldId: 'amount', type: 'amount', label: 'Amount', required: true, help: 'In whole units: 0.5 is one half.' },
      { fieldId: 'wallet', type: 'address', label: 'Your account, which pays and signs', required: true },
      { fieldId: 'recipient', type: 'address', label: 'Recipient', help: 'Default: your account.' },
    ],
    actions: [{ actionId: 'prepare', label: 'Prepare the transaction' }],
  };
}

export function continueStep(transfers: readonly StoredTransfer[]): StepSpec {
  return {
    stepId: 'continue',
    title: 'Which transfer do you want to continue?',
    fields: [
      {
        ...{ fieldId: 'transfer', type: 'select', label: 'Transfer', required: true },
        options: transfers.map((each) => ({ value: each.hash, label: `${summaryOf(each)}: ${each.status}` })),
      },
    ],
    actions: [
      { actionId: 'go', label: 'Continue' },
      { actionId: 'new', label: 'Start another one', validate: false },
    ],
  };
}

const signTitles: Readonly<Record<Purpose, string>> = {
  approve: 'Sign the approval',
  start: 'Sign the transfer',
  prove: 'Sign the proof',
  finalize: 'Sign the finalization',
  replay: 'Sign the second relay',
};

export function signStep(
  state: BridgeState,
  purpose: Purpose,
  transaction: PreparedTransaction,
  why: string,
  progress?: Progress,
): StepSpec {
  const { transfer } = state;
  const side = sideOf(transfer, purpose).toUpperCase();
  return {
    stepId: 'sign',
    title: signTitles[purpose],
    description: `${why} Sign this transaction on ${side} with the wallet of ${transaction.from}.`,
    fields: [{ fieldId: 'signedTransaction', type: 'signedTransaction', label: 'Signed transaction', required: true }],
    actions: [
      { actionId: 'send', label: 'Send it' },
      { actionId: 'again', label: 'Check again: my wallet has sent it, or prepare it again', validate: false },
      ...(isBeforeStart(purpose) ? [{ actionId: 'change', label: 'Change the transfer', validate: false }] : []),
    ],
    options: { ...factsOf(state), ...statusOf(progress), purpose },
    transaction,
  };
}

const isBeforeStart = (purpose: Purpose): boolean => purpose === 'approve' || purpose === 'start';

/** Why the wallet must sign a transaction before an amount moves. */
export function reasonToSign(purpose: 'approve' | 'start', transfer: Transfer): string {
  if (purpose === 'approve')
    return `First of two transactions: it allows the bridge to take ${transfer.amount} ${transfer.symbol} from your account. Nothing moves yet.`;
  return transfer.direction === 'deposit'
    ? `It starts this: ${summaryOf(transfer)}.`
    : `It starts this: ${summaryOf(transfer)}. Later you prove and finalize it on L1 with the same account, which pays fees there.`;
}

export function miningStep(state: BridgeState, purpose: Purpose, hash: string, note: string): StepSpec {
  return {
    stepId: 'mining',
    title: 'Waiting for a block',
    description: `Transaction ${hash} is sent on ${sideOf(state.transfer, purpose).toUpperCase()}, but no block includes it yet.${note}`,
    fields: [],
    actions: [{ actionId: 'look', label: 'Check again' }],
    options: { ...factsOf(state), purpose },
  };
}

export function waitingStep(state: BridgeState, progress: Progress): StepSpec {
  return {
    stepId: 'waiting',
    title: `${state.transfer.direction === 'deposit' ? 'Deposit' : 'Withdrawal'}: ${words(progress.status)}`,
    description: progress.text,
    fields: [],
    actions: [{ actionId: 'look', label: 'Check again' }],
    options: { ...factsOf(state), ...statusOf(progress) },
  };
}

export function endStep(state: BridgeState, progress: Progress): StepSpec {
  const hasFailed = progress.status === 'failed';
  const done = state.transfer.direction === 'deposit' ? 'The deposit' : 'The withdrawal';
  return {
    stepId: hasFailed ? 'failed' : 'completed',
    title: hasFailed ? `${done} failed` : `${done} has arrived`,
    description: `${progress.text}\n${capital(summaryOf(state.transfer))}.`,
    fields: [],
    actions: [],
    options: { ...factsOf(state), ...statusOf(progress) },
    terminal: true,
  };
}

function statusOf(progress: Progress | undefined): JsonMembers {
  return progress === undefined ? {} : { ...progress.facts, status: progress.status };
}

function factsOf({ transfer, sent }: BridgeState): JsonMembers {
  const { direction, asset, amount, symbol, from, to } = transfer;
  const transactions = sent.map(({ purpose, hash }) => ({ purpose, chain: sideOf(transfer, purpose), hash }));
  return { direction, asset, amount, symbol, from, to, transactions };
}

export function summaryOf({ direction, amount, symbol, from, to }: Transfer): string {
  return `${direction} of ${amount} ${symbol} from ${from} to ${to}`;
}

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

const words = (status: string): string => status.replaceAll('_', ' ');
