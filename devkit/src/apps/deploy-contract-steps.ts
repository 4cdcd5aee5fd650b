/** The deployment app's steps, one function for each. */
import type { StepSpec } from '@flowgate/client/flow-wire';
import type { Hex } from 'viem';
import type { PreparedTransaction } from './prepared-transaction.ts';

export type Deployed = {
  readonly address: string;
  readonly transactionHash: Hex;
  readonly blockNumber: number;
  readonly gasUsed: string;
  readonly status: 'deployed' | 'failed';
};

export function chooseStep(): StepSpec {
  return {
    stepId: 'choose',
    title: 'Deploy a contract',
    fields: [
      {
        ...{ fieldId: 'contract', type: 'select', label: 'Contract', required: true, value: 'counter' },
        options: [
          { value: 'counter', label: 'A counter' },
          { value: 'own', label: 'My own code' },
        ],
      },
      {
        ...{ fieldId: 'firstNumber', type: 'number', label: 'First number of the counter', value: 0 },
        ...{ min: 0, max: 1_000_000_000, visibleWhen: { fieldId: 'contract', equals: 'counter' } },
      },
      {
        ...{ fieldId: 'creationCode', type: 'text', label: 'Creation code, with encoded arguments' },
        ...{ required: true, visibleWhen: { fieldId: 'contract', equals: 'own' } },
        pattern: '0x([0-9a-fA-F]{2})+',
      },
      { fieldId: 'from', type: 'address', label: 'Account that deploys and pays', required: true },
    ],
    actions: [{ actionId: 'prepare', label: 'Prepare the transaction' }],
  };
}

export function signStep(transaction: PreparedTransaction): StepSpec {
  return {
    stepId: 'sign',
    title: 'Sign the deployment',
    description: `Sign this transaction with the wallet of ${transaction.from}. It costs at most ${transaction.gas} gas.`,
    fields: [{ fieldId: 'signedTransaction', type: 'signedTransaction', label: 'Signed transaction', required: true }],
    actions: [
      { actionId: 'deploy', label: 'Deploy' },
      { actionId: 'change', label: 'Change or prepare again', validate: false },
    ],
    transaction,
  };
}

export function resultStep(deployed: Deployed): StepSpec {
  const { address, blockNumber, status, transactionHash } = deployed;
  return {
    stepId: 'result',
    title: status === 'deployed' ? 'Deployed' : 'The deployment failed',
    description:
      status === 'deployed'
        ? `The contract is at ${address} since block ${blockNumber}.`
        : `Transaction ${transactionHash} was reverted in block ${blockNumber}.`,
    fields: [],
    actions: [
      { actionId: 'finish', label: 'Finish' },
      { actionId: 'another', label: 'Deploy another one' },
    ],
    options: deployed,
  };
}

export function doneStep(): StepSpec {
  return { stepId: 'done', title: 'Done', fields: [], actions: [], terminal: true };
}
