/** Sends a call and records duration, size and serving node. */
import { type AnswerFacts, createFlowgate, FlowgateError } from '@flowgate/client';
import { parseExact } from './exact-json.ts';
import type { PlannedCall } from './planned-call.ts';

export type CallOutcome = {
  readonly call: PlannedCall;
  /** When the call was sent. */
  readonly at: string;
  readonly tookMs: number;
  /** Size of the uncompressed body. */
  readonly bytes: number;
  readonly facts: AnswerFacts | undefined;
} & ({ readonly ok: true; readonly result: unknown } | { readonly ok: false; readonly error: unknown });

const timeoutMs = 120_000;

export async function sendCall(call: PlannedCall, apiKey: string, signal: AbortSignal): Promise<CallOutcome> {
  const { target, method, params } = call;
  const at = new Date().toISOString();
  const startedMs = performance.now();
  let body = '';
  let tookMs = 0;
  let facts: AnswerFacts | undefined;
  const client = createFlowgate({
    ...{ url: location.origin, apiKey, timeoutMs },
    // The user sees every outcome.
    retry: false,
    onAnswer(answer) {
      facts = answer;
    },
    async fetch(url, init) {
      const response = await fetch(url, init);
      body = await response.text();
      tookMs = performance.now() - startedMs;
      // Some statuses forbid a body.
      return new Response(body === '' ? null : body, response);
    },
  });
  const measured = () => ({
    ...{ call, at, facts, bytes: new Blob([body]).size },
    tookMs: tookMs || performance.now() - startedMs,
  });
  try {
    const { dlt, networkId, nodeId } = target;
    const of = nodeId === undefined ? { network: { dlt, networkId } } : { node: { dlt, nodeId } };
    const result = await client.rpc(method, params, { ...of, trace: true, signal });
    return { ...measured(), ok: true, result: resultIn(body) ?? result };
  } catch (error) {
    signal.throwIfAborted();
    return { ...measured(), ok: false, error };
  }
}

/** Numbers retain the node's spelling. */
function resultIn(body: string): unknown {
  const answer = parseExact(body);
  return typeof answer === 'object' && answer !== null && 'result' in answer ? answer.result : undefined;
}

/** True when the key is revoked or expired. */
export const isKeyRefused = (error: unknown): boolean =>
  error instanceof FlowgateError && error.status === 403 && error.code === -32001;
