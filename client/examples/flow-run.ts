/** Runs `flowgate/token-transfer` with answers from code, is interrupted, and continues from its journal: `bun client/examples/flow-run.ts`, see README.md. */

import { createFlowgate } from '@flowgate/client';
import { createFlowRun, type FlowHandlers, type FlowRunRecord, runFlow, type StepAsked } from '@flowgate/client/flow';
import { privateKeyToAccount } from 'viem/accounts';
import { developmentKeys, readSettings } from './example-settings.ts';
import { signPrepared } from './flow-walk.ts';

const { FLOWGATE_URL: url, FLOWGATE_API_KEY: apiKey } = readSettings('FLOWGATE_URL', 'FLOWGATE_API_KEY');
const account = privateKeyToAccount(developmentKeys.flowTransfer);
const { flow } = createFlowgate({ url, apiKey });
const wishes = { from: account.address, to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', amount: '1000000000' };

// In a real program: a file, or the browser's sessionStorage.
let stored: FlowRunRecord | undefined;
const journal = (record: FlowRunRecord | undefined) => {
  stored = record;
};
const beginning = { start: { appId: 'flowgate/token-transfer', startStepId: 'transfer' } };

const handlers: FlowHandlers = {
  async answer({ session, findings, signed }) {
    const { stepId, fields, actions } = session.currentStep;
    for (const { fieldId, message } of findings) console.log(`[refused] ${fieldId ?? stepId}: ${message}`);
    // Corrects the amount, as a user would.
    if (findings.length > 0) wishes.amount = '2.5';
    const values = Object.fromEntries(fields.map(({ fieldId }) => [fieldId, wishFor(fieldId)]));
    const actionId = stepId === 'sent' ? 'finish' : (actions[0]?.actionId ?? '');
    console.log(`${stepId} → ${actionId}`);
    return { actionId, fieldValues: { ...values, ...signed } };
  },
  async sign({ session }) {
    console.log('signed by the wallet');
    return signPrepared(account, session);
  },
};

const first = createFlowRun(flow.sessions, beginning, { journal });
const interrupted = await runFlow(first, { ...handlers, answer: untilSigned });
console.log(`left at ${interrupted.session?.currentStep.stepId}, stored: ${Object.keys(stored ?? {}).join(', ')}`);

// Simulates another process, which knows only the record.
if (stored === undefined) throw new Error('nothing was stored');
const second = createFlowRun(flow.sessions, { record: stored }, { journal });
const { phase, session } = await runFlow(second, handlers);
console.log(`${phase}: session ${session?.status}, journal ${stored === undefined ? 'empty' : 'NOT EMPTY'}`);

/** Leaves the run once there is a signature: the continued run does not sign again. */
async function untilSigned(asked: StepAsked) {
  return Object.keys(asked.signed).length > 0 ? undefined : handlers.answer(asked);
}

function wishFor(fieldId: string): unknown {
  return Reflect.get(wishes, fieldId);
}
