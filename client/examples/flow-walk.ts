/** Shared by the Flow examples: one session, submitted step by step with Flowgate's client, and a wallet that signs prepared transactions. */

import {
  createFlowgate,
  type Flowgate,
  FlowgateError,
  type JsonMembers,
  type Session,
  type SessionInput,
  type SubmitOptions,
} from '@flowgate/client';
import type { Hex, LocalAccount } from 'viem';

export type Walk = {
  readonly client: Flowgate;
  /** The session in the last answer. */
  readonly session: () => Session;
  /** Submits the current step. A refused submission changes nothing: this throws `FlowgateError`, and the step remains the current one. */
  readonly submit: (actionId: string, fieldValues?: JsonMembers, options?: SubmitOptions) => Promise<Session>;
};

export async function startWalk(baseUrl: string, apiKey: string, input: SessionInput): Promise<Walk> {
  const client = createFlowgate({ url: baseUrl, apiKey });
  let session = await client.flow.sessions.start(input);
  console.log(`started ${session.appId} ${session.version}: ${session.currentStep.title}`);
  return {
    client,
    session: () => session,
    // The client generates an Idempotency-Key for each submission and retries with that key: the step is executed once.
    async submit(actionId, fieldValues = {}, options = {}) {
      const { sessionId, stateVersion, currentStep } = session;
      const submission = { actionId, fieldValues, stateVersion };
      session = await client.flow.sessions.submit(sessionId, currentStep.stepId, submission, options);
      console.log(`${currentStep.stepId} → ${actionId} → ${session.currentStep.title}`);
      return session;
    },
  };
}

/** Signs the step's `transaction` exactly as prepared. The wallet's key stays in this process. */
export async function signPrepared(account: LocalAccount, { currentStep }: Session): Promise<Hex> {
  const prepared = currentStep.transaction ?? {};
  const text = (name: string) => String(prepared[name]);
  const hex = (name: string): Hex => `0x${text(name).replace(/^0x/, '')}`;
  if (prepared['from'] !== account.address) throw new Error(`The app prepared this for ${text('from')}.`);
  return account.signTransaction({
    type: 'eip1559',
    chainId: Number(prepared['chainId']),
    nonce: Number(prepared['nonce']),
    gas: BigInt(text('gas')),
    maxFeePerGas: BigInt(text('maxFeePerGas')),
    maxPriorityFeePerGas: BigInt(text('maxPriorityFeePerGas')),
    value: BigInt(text('value')),
    data: hex('data'),
    ...(prepared['to'] === undefined ? {} : { to: hex('to') }),
  });
}

/** Expects the gateway to refuse, and prints the refusal. */
export async function showRefusal(what: string, call: Promise<unknown>): Promise<FlowgateError> {
  const error: unknown = await call.catch((cause: unknown) => cause);
  if (!(error instanceof FlowgateError)) throw new Error(`${what}: was not refused as expected`, { cause: error });
  const findings = (error.errors ?? []).map(({ fieldId, message }) => `${fieldId ?? 'step'}: ${message}`);
  console.log(`[refused] ${what}: ${error.status} ${error.type} ${findings.join(', ') || error.message}`);
  return error;
}

/** Prints the session's events, as its followers receive them. */
export async function showEvents({ client, session }: Walk): Promise<void> {
  const types: string[] = [];
  // Server-Sent Events from the first event; the loop ends with the session.
  for await (const { sequence, type } of client.flow.follow(session().sessionId)) types.push(`${sequence} ${type}`);
  console.log(`events: ${types.join(', ')}`);
}
