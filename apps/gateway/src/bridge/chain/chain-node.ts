/** Calls one node. The indexer must know which node gave an answer, and why a node refused. */

import { runInSlices, type TimeSlices } from '@flowgate/async/time-slices';
import { inChunks } from '@flowgate/base/in-chunks';
import { rangeOf } from '@flowgate/bytes/byte-range';
import type { ChainQuestion } from '../../upstream/networks/ask-chain.ts';
import type { Network } from '../../upstream/networks/network.ts';
import type { JsonText, NodeAnswer, NodeFailure, NodeReply } from '../../upstream/port/node-port.ts';
import { errorFacts, errorFault } from '../../upstream/response/error-faults.ts';

export type NodeSays =
  | { readonly kind: 'result'; readonly value: unknown; readonly bytes: number }
  /** The node refuses this call. It may answer a smaller one. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** The node does not have the block (yet). */
  | { readonly kind: 'absent' }
  /** The node does not answer now. */
  | { readonly kind: 'away'; readonly reason: string };

export type ChainNode = {
  readonly nodeId: string;
  /** False when health checks advise against waiting for this node. */
  readonly isWell: () => boolean;
  /** In the order of the calls. Never rejects. */
  readonly ask: (questions: readonly ChainQuestion[]) => Promise<readonly NodeSays[]>;
};

/** Calls in one JSON-RPC batch: below what providers accept. */
const batchSize = 50;
const timeoutMs = 10_000;
const maxReasonLength = 200;
/** Failures after which a smaller request may succeed. */
const tooMuch: ReadonlySet<NodeFailure> = new Set(['timeout', 'unusable']);

export function chainNodeOf(
  { nodeId, pool, status }: Pick<Network['nodes'][number], 'nodeId' | 'pool' | 'status'>,
  slices: TimeSlices,
  hideSecrets: (text: string) => string,
): ChainNode {
  const reported = (reason: string) => hideSecrets(reason).slice(0, maxReasonLength);

  async function askOne({ method, params }: ChainQuestion): Promise<NodeSays> {
    const call = { method, params: rangeOf(JSON.stringify(params)), repeatable: true, timeoutMs };
    return saidIn(await pool.send(call));
  }

  async function saidIn(reply: NodeReply<NodeAnswer>): Promise<NodeSays> {
    if (!reply.ok) return failed(reply.failure);
    const { answer } = reply;
    if (answer.kind === 'result') return parsed(answer.raw);
    if (answer.kind === 'error') return errorIn(answer.raw);
    // Answers to the gateway's own calls are never buffered.
    answer.release();
    return failed('unusable');
  }

  async function parsed(raw: JsonText): Promise<NodeSays> {
    const value = await runInSlices(slices, parsing(raw));
    return { kind: 'result', value, bytes: raw.length };
  }

  function errorIn(raw: JsonText): NodeSays {
    const fault = errorFault(raw);
    const reason = reported(errorFacts(raw)?.message ?? 'an error');
    if (fault === 'unknown-block') return { kind: 'absent' };
    return { kind: fault === undefined || fault === 'too-much' ? 'refused' : 'away', reason };
  }

  async function askBatch(batch: readonly ChainQuestion[]): Promise<readonly NodeSays[]> {
    const [only] = batch;
    if (only !== undefined && batch.length === 1) return [await askOne(only)];
    const questions = batch.map(({ method, params }) => ({ method, params: rangeOf(JSON.stringify(params)) }));
    const reply = await pool.sendBatch({ questions, repeatable: true, timeoutMs });
    if (!reply.ok) return batch.map(() => failed(reply.failure));
    const { answer } = reply;
    if (answer.kind === 'batch') {
      const says: NodeSays[] = [];
      for (const each of answer.answers) {
        if (each?.kind === 'result') says.push(await parsed(each.raw));
        else says.push(each?.kind === 'error' ? errorIn(each.raw) : failed('unusable'));
      }
      return says;
    }
    if (answer.kind === 'buffered') {
      answer.release();
      return batch.map(() => failed('unusable'));
    }
    // The node supports no batches.
    const says: NodeSays[] = [];
    for (const each of batch) says.push(await askOne(each));
    return says;
  }

  return {
    nodeId,
    isWell: () => status().status !== 'unhealthy',
    async ask(questions) {
      const says: NodeSays[] = [];
      for (const batch of inChunks(questions, batchSize)) says.push(...(await askBatch(batch)));
      return says;
    },
  };
}

function* parsing(raw: JsonText): Generator<undefined, unknown> {
  yield;
  return JSON.parse(raw.text());
}

function failed(failure: NodeFailure): NodeSays {
  return { kind: tooMuch.has(failure) ? 'refused' : 'away', reason: failure };
}
