/** A Flow App that deploys a contract: it prepares the transaction, the caller's wallet signs, the app sends it. Then the caller can deploy another. */
import type { RenderRequest, RenderResponse } from '@flowgate/client/flow-wire';
import { encodeAbiParameters, getContractAddress, type Hex, isHex, type PublicClient } from 'viem';
import { counterCreationCode } from './counter-creation-code.ts';
import { chooseStep, type Deployed, doneStep, resultStep, signStep } from './deploy-contract-steps.ts';
import { type PreparedTransaction, prepareTransaction } from './prepared-transaction.ts';
import { addressOf, connectTo, rejected, type SampleApp, type Submission, textOf, withEntry } from './sample-app.ts';
import { checkSigned, receiptOf, sendOnce } from './signed-transaction.ts';
import { hashIn, pendingStep, preparedIn } from './transaction-state.ts';

export function deployContract({ rpcUrl }: { readonly rpcUrl: string }): SampleApp {
  const chain = connectTo(rpcUrl);
  return {
    app: {
      appId: 'flowgate/deploy-contract',
      name: 'Deploy a contract',
      description: 'Prepares the deployment of a contract on the local chain; your wallet signs it.',
      visibility: 'public',
    },
    manifest: {
      steps: ['choose', 'sign', 'pending', 'result', 'done'].map((stepId) => ({ stepId })),
      queries: [{ queryId: 'deployments', path: '/deployments' }],
      events: [{ type: 'contract_deployed' }],
    },
    renderStep: (request) => render(chain, request),
  };
}

async function render(chain: PublicClient, request: RenderRequest): Promise<RenderResponse> {
  const { submission, state } = request;
  if (submission === undefined) return restart();
  switch (`${submission.stepId} ${submission.actionId}`) {
    case 'choose prepare':
      return prepare(chain, submission);
    case 'sign deploy':
      return execute(chain, request, submission);
    case 'pending check':
      return outcome(chain, request, preparedIn(state), hashIn(state));
    case 'result finish':
      return { step: doneStep() };
    default:
      // "change" and "another" lead back to the first step.
      return restart();
  }
}

const restart = (): RenderResponse => ({ step: chooseStep(), state: {} });

async function prepare(chain: PublicClient, submission: Submission): Promise<RenderResponse> {
  const from = addressOf(submission, 'from');
  if (from === undefined) return rejected(chooseStep(), 'This is not an address.', 'from');
  const code = creationCode(submission);
  if (typeof code === 'object') return rejected(chooseStep(), code.problem, code.fieldId);
  const prepared = await prepareTransaction(chain, { from, data: code });
  if (!prepared.ok) return rejected(chooseStep(), prepared.message);
  return { step: signStep(prepared.transaction), state: { transaction: prepared.transaction } };
}

function creationCode(submission: Submission): Hex | { readonly fieldId: string; readonly problem: string } {
  if (textOf(submission, 'contract') === 'own') {
    const code = textOf(submission, 'creationCode');
    return isHex(code) && code.length > 2
      ? code
      : { fieldId: 'creationCode', problem: 'Enter creation code as hexadecimal digits.' };
  }
  const first = submission.fieldValues['firstNumber'] ?? 0;
  if (!Number.isSafeInteger(first)) return { fieldId: 'firstNumber', problem: 'Enter a whole number.' };
  return `${counterCreationCode}${encodeAbiParameters([{ type: 'uint256' }], [BigInt(Number(first))]).slice(2)}`;
}

async function execute(chain: PublicClient, request: RenderRequest, submission: Submission): Promise<RenderResponse> {
  const transaction = preparedIn(request.state);
  const signed = await checkSigned(submission.fieldValues['signedTransaction'], transaction);
  if (!signed.ok) return rejected(signStep(transaction), signed.message, 'signedTransaction');
  const sent = await sendOnce(chain, signed);
  if (!sent.ok) return rejected(signStep(transaction), sent.message);
  return outcome(chain, request, transaction, signed.hash);
}

async function outcome(
  chain: PublicClient,
  { appData }: RenderRequest,
  transaction: PreparedTransaction,
  transactionHash: Hex,
): Promise<RenderResponse> {
  const receipt = await receiptOf(chain, transactionHash);
  if (receipt === undefined) return { step: pendingStep(transactionHash), state: { transaction, transactionHash } };
  const deployed: Deployed = {
    address: getContractAddress({ from: transaction.from, nonce: BigInt(transaction.nonce) }),
    ...{ transactionHash, blockNumber: Number(receipt.blockNumber), gasUsed: String(receipt.gasUsed) },
    status: receipt.status === 'success' ? 'deployed' : 'failed',
  };
  return {
    step: resultStep(deployed),
    state: {},
    appData: { set: { deployments: withEntry(appData, 'deployments', 'transactionHash', deployed) } },
    events: deployed.status === 'deployed' ? [{ type: 'contract_deployed', data: deployed }] : [],
  };
}
