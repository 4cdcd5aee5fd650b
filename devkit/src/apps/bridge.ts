/** A Flow App that guides a user through a deposit to a rollup or a withdrawal from it: it prepares each transaction and reports what it waits for. */
import type { RenderRequest, RenderResponse } from '@flowgate/client/flow-wire';
import { type Advanced, advance } from './bridge-advance.ts';
import { type BridgeAppOptions, type BridgePlace, bridgePlace } from './bridge-place.ts';
import { bridgeStepIds, chooseStep, continueStep, endStep, miningStep, signStep, waitingStep } from './bridge-steps.ts';
import {
  type BridgeState,
  bridgeStateIn,
  isOver,
  preparedIn,
  sentFor,
  sideOf,
  storedTransfers,
  withoutPrepared,
  withSent,
  withStored,
} from './bridge-transfer.ts';
import { readTransferForm } from './read-transfer-form.ts';
import { rejected, type SampleApp, type Submission, textOf } from './sample-app.ts';
import { checkSigned, sendOnce } from './signed-transaction.ts';
import { doesTheSame, useOfNonce } from './used-nonce.ts';

export function bridge(options: BridgeAppOptions): SampleApp {
  const place = bridgePlace(options);
  return {
    app: {
      appId: 'flowgate/bridge',
      name: 'Deposit and withdraw',
      description:
        'Moves ether and tokens between the local rollup and its L1, and shows what each transfer waits for; your wallet signs.',
      visibility: 'public',
    },
    manifest: {
      startSteps: ['choose', 'continue'],
      steps: bridgeStepIds.map((stepId) => ({ stepId })),
      queries: [{ queryId: 'transfers', path: '/transfers' }],
      events: [{ type: 'transfer_status' }],
    },
    renderStep: (request) => render(place, request),
  };
}

async function render(place: BridgePlace, request: RenderRequest): Promise<RenderResponse> {
  const { submission, state } = request;
  if (submission === undefined) return await start(place, request);
  switch (`${submission.stepId} ${submission.actionId}`) {
    case 'choose prepare':
      return await choose(place, request, submission);
    case 'continue go':
      return await continueTransfer(place, request, submission);
    case 'continue new':
      return await chooseAgain(place);
    case 'sign send':
      return await execute(place, request, submission);
    case 'sign again':
      return await lookForPrepared(place, request, advanced);
    case 'sign change':
      return await lookForPrepared(place, request, () => chooseAgain(place));
    default:
      return await advanced(place, request, bridgeStateIn(state));
  }
}

async function chooseAgain(place: BridgePlace, note?: string): Promise<RenderResponse> {
  return { step: chooseStep((await place.tokenFacts()).symbol, note), state: {} };
}

async function start(place: BridgePlace, { stepId, appData }: RenderRequest): Promise<RenderResponse> {
  if (stepId !== 'continue') return await chooseAgain(place);
  const open = openTransfers(appData);
  return open.length === 0
    ? await chooseAgain(place, 'No transfer is in progress.')
    : { step: continueStep(open), state: {} };
}

const openTransfers = (appData: RenderRequest['appData']) =>
  storedTransfers(appData)
    .filter(({ status }) => !isOver(status))
    .slice(-maxOffered);

const maxOffered = 50;

async function choose(place: BridgePlace, request: RenderRequest, submission: Submission): Promise<RenderResponse> {
  const wish = await readTransferForm(place, submission);
  const { step } = await chooseAgain(place);
  if (!wish.ok) return { step, errors: wish.problems };
  const next = await advance(place, { transfer: wish.transfer, sent: [] });
  return next.kind === 'refused' ? rejected(step, next.message, next.fieldId) : shown(request, next);
}

async function continueTransfer(
  place: BridgePlace,
  request: RenderRequest,
  submission: Submission,
): Promise<RenderResponse> {
  const open = openTransfers(request.appData);
  const stored = open.find(({ hash }) => hash === textOf(submission, 'transfer'));
  if (stored === undefined) return rejected(continueStep(open), 'There is no such transfer.', 'transfer');
  const { hash, nonce, status, ...transfer } = stored;
  return await advanced(place, request, { transfer, sent: [{ purpose: 'start', hash, nonce }], status });
}

async function execute(place: BridgePlace, request: RenderRequest, submission: Submission): Promise<RenderResponse> {
  const state = bridgeStateIn(request.state);
  const { purpose, transaction } = preparedIn(state);
  const step = signStep(state, purpose, transaction, '');
  const signed = await checkSigned(submission.fieldValues['signedTransaction'], transaction);
  if (!signed.ok) return rejected(step, signed.message, 'signedTransaction');
  const sent = await sendOnce(place[sideOf(state.transfer, purpose)], signed);
  if (!sent.ok) return rejected(step, sent.message);
  const { hash, raw } = signed;
  return await advanced(place, request, withSent(state, { purpose, hash, nonce: transaction.nonce, raw }));
}

type Then = (place: BridgePlace, request: RenderRequest, state: BridgeState) => Promise<RenderResponse>;

/** The wallet may have sent the prepared transaction, or an attempt did whose answer was lost: another one would move the amount twice. */
async function lookForPrepared(place: BridgePlace, request: RenderRequest, otherwise: Then) {
  const state = bridgeStateIn(request.state);
  const { purpose, transaction } = preparedIn(state);
  const { nonce, from } = transaction;
  const use = await useOfNonce(place[sideOf(state.transfer, purpose)], from, nonce);
  const refuse = (message: string) => rejected(signStep(state, purpose, transaction, ''), message);
  if (use.kind === 'waiting')
    return refuse('A transaction of this account waits for a block, perhaps this one. Check again in a moment.');
  if (use.kind === 'unknown')
    return refuse('The node does not report whether this was sent. Check your wallet, and check again in a moment.');
  if (use.kind === 'used' && doesTheSame(use.transaction, transaction))
    return await advanced(place, request, withSent(state, { purpose, hash: use.transaction.hash, nonce }));
  return await otherwise(place, request, withoutPrepared(state));
}

async function advanced(place: BridgePlace, request: RenderRequest, state: BridgeState): Promise<RenderResponse> {
  const next = await advance(place, state);
  return next.kind === 'refused' ? await chooseAgain(place, next.message) : shown(request, next);
}

function shown(request: RenderRequest, next: Exclude<Advanced, { kind: 'refused' }>): RenderResponse {
  switch (next.kind) {
    case 'mining':
      return reported(
        request,
        next.state,
        pendingOf(next.state),
        miningStep(next.state, next.sent.purpose, next.sent.hash, next.note),
      );
    case 'sign': {
      const { purpose, transaction, why, progress } = next;
      return reported(request, next.state, progress?.status, signStep(next.state, purpose, transaction, why, progress));
    }
    case 'progress': {
      const { progress } = next;
      const step = progress.isOver ? endStep(next.state, progress) : waitingStep(next.state, progress);
      const response = reported(request, next.state, progress.status, step);
      return progress.isOver && progress.status === 'failed' ? { ...response, status: 'failed' } : response;
    }
  }
}

/** An unmined transfer has the first status, or the last reported one. */
function pendingOf(state: BridgeState): string {
  return state.status ?? (state.transfer.direction === 'deposit' ? 'pending' : 'initiated');
}

/** The step, with an event when the status differs from the last reported one. */
function reported(
  { appData }: RenderRequest,
  before: BridgeState,
  status: string | undefined,
  step: RenderResponse['step'],
): RenderResponse {
  const begun = sentFor(before, 'start');
  if (begun === undefined || status === undefined) return { step, state: before };
  const { hash, nonce } = begun;
  const { direction } = before.transfer;
  const isNews = status !== before.status;
  // Read each time, because another session of the user may have overwritten this session's list.
  const isStored = storedTransfers(appData).some((each) => each.hash === hash && each.status === status);
  const transfers = isStored ? undefined : withStored(appData, { ...before.transfer, hash, nonce, status });
  return {
    step,
    state: { ...before, status },
    ...(transfers !== undefined && { appData: { set: { transfers } } }),
    ...(isNews && { events: [{ type: 'transfer_status', data: { direction, status, transactionHash: hash } }] }),
  };
}
