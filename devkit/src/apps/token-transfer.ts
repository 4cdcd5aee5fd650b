/** A Flow App that transfers the development dollar. It has two start steps, a confirmation of large amounts and a history for each caller. */
import type { RenderRequest, RenderResponse } from '@flowgate/client/flow-wire';
import { type Address, encodeFunctionData, formatUnits, type Hex, type PublicClient, parseUnits } from 'viem';
import { devTokenAbi } from '../contracts/dev-token-code.ts';
import { devTokenDecimals } from '../dev-token.ts';
import { decimalUnits } from './decimal-units.ts';
import { prepareTransaction } from './prepared-transaction.ts';
import { addressOf, connectTo, rejected, type SampleApp, type Submission, textOf, withEntry } from './sample-app.ts';
import { checkSigned, receiptOf, sendOnce } from './signed-transaction.ts';
import * as steps from './token-transfer-steps.ts';
import { hashIn, pendingStep, preparedIn } from './transaction-state.ts';

export type TokenTransferOptions = { readonly rpcUrl: string; readonly token: Address };

/** In whole dollars: larger amounts need a confirmation. */
const confirmAbove = '100';

type Place = { readonly chain: PublicClient; readonly token: Address };

export function tokenTransfer({ rpcUrl, token }: TokenTransferOptions): SampleApp {
  const place = { chain: connectTo(rpcUrl), token };
  return {
    app: {
      appId: 'flowgate/token-transfer',
      name: 'Transfer development dollars',
      description: 'Prepares a token transfer on the local chain, or shows a balance; your wallet signs.',
      visibility: 'public',
    },
    manifest: {
      startSteps: ['transfer', 'check-balance'],
      steps: ['transfer', 'check-balance', 'balance', 'confirm', 'sign', 'pending', 'sent', 'done'].map((stepId) => ({
        stepId,
      })),
      queries: [{ queryId: 'transfers', path: '/transfers' }],
      events: [{ type: 'transfer_sent' }],
    },
    renderStep: (request) => render(place, request),
  };
}

async function render(place: Place, request: RenderRequest): Promise<RenderResponse> {
  const { submission, state } = request;
  if (submission === undefined) return begin(request.stepId);
  switch (`${submission.stepId} ${submission.actionId}`) {
    case 'check-balance check':
      return reportBalance(place, submission);
    case 'transfer prepare':
      return choose(place, submission);
    case 'confirm confirm':
      return confirm(place, steps.requestIn(state), submission);
    case 'sign send':
      return execute(place, request, submission);
    case 'pending check':
      return outcome(place, request, hashIn(state));
    case 'balance finish':
    case 'sent finish':
      return { step: steps.doneStep() };
    default:
      // "change", "another", and the transfer after a balance.
      return begin('transfer');
  }
}

function begin(stepId: string): RenderResponse {
  return { step: stepId === 'check-balance' ? steps.checkBalanceStep() : steps.transferStep(), state: {} };
}

async function reportBalance(place: Place, submission: Submission): Promise<RenderResponse> {
  const account = addressOf(submission, 'account');
  if (account === undefined) return rejected(steps.checkBalanceStep(), 'This is not an address.', 'account');
  return { step: steps.balanceStep(account, formatUnits(await balanceOf(place, account), devTokenDecimals)) };
}

async function choose(place: Place, submission: Submission): Promise<RenderResponse> {
  const from = addressOf(submission, 'from');
  const to = addressOf(submission, 'to');
  const amount = textOf(submission, 'amount');
  const refuse = (message: string, fieldId: string) => rejected(steps.transferStep(), message, fieldId);
  if (from === undefined) return refuse('This is not an address.', 'from');
  if (to === undefined) return refuse('This is not an address.', 'to');
  const units = decimalUnits(amount, devTokenDecimals);
  if (units === undefined || units === 0n)
    return refuse(`Enter an amount above zero with at most ${devTokenDecimals} decimal places.`, 'amount');
  const balance = await balanceOf(place, from);
  if (units > balance) return refuse(`The balance is ${formatUnits(balance, devTokenDecimals)}.`, 'amount');
  const wish = { from, to, amount };
  if (units > parseUnits(confirmAbove, devTokenDecimals)) return { step: steps.confirmStep(wish), state: { wish } };
  return prepare(place, wish);
}

async function confirm(place: Place, wish: steps.TransferRequest, submission: Submission): Promise<RenderResponse> {
  if (submission.fieldValues['understood'] !== true)
    return rejected(steps.confirmStep(wish), 'Confirm this amount.', 'understood');
  return prepare(place, wish);
}

async function prepare({ chain, token }: Place, wish: steps.TransferRequest): Promise<RenderResponse> {
  const args = [wish.to, decimalUnits(wish.amount, devTokenDecimals) ?? 0n] as const;
  const data = encodeFunctionData({ abi: devTokenAbi, functionName: 'transfer', args });
  const prepared = await prepareTransaction(chain, { from: wish.from, to: token, data });
  if (!prepared.ok) return rejected(steps.transferStep(), prepared.message);
  return { step: steps.signStep(wish, prepared.transaction), state: { wish, transaction: prepared.transaction } };
}

async function execute(place: Place, request: RenderRequest, submission: Submission): Promise<RenderResponse> {
  const transaction = preparedIn(request.state);
  const step = steps.signStep(steps.requestIn(request.state), transaction);
  const signed = await checkSigned(submission.fieldValues['signedTransaction'], transaction);
  if (!signed.ok) return rejected(step, signed.message, 'signedTransaction');
  const sent = await sendOnce(place.chain, signed);
  if (!sent.ok) return rejected(step, sent.message);
  return outcome(place, request, signed.hash);
}

async function outcome(place: Place, { state, appData }: RenderRequest, transactionHash: Hex): Promise<RenderResponse> {
  const receipt = await receiptOf(place.chain, transactionHash);
  const wish = steps.requestIn(state);
  if (receipt === undefined) return { step: pendingStep(transactionHash), state: { ...state, transactionHash } };
  const status = receipt.status === 'success' ? 'sent' : 'failed';
  const transfer: steps.Transfer = { ...wish, transactionHash, blockNumber: Number(receipt.blockNumber), status };
  return {
    step: steps.sentStep(transfer),
    state: {},
    appData: { set: { transfers: withEntry(appData, 'transfers', 'transactionHash', transfer) } },
    events: status === 'sent' ? [{ type: 'transfer_sent', data: transfer }] : [],
  };
}

function balanceOf({ chain, token }: Place, account: Address): Promise<bigint> {
  return chain.readContract({ address: token, abi: devTokenAbi, functionName: 'balanceOf', args: [account] });
}
