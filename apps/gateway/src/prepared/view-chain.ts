/** One block of a network, as one node has it: many calls of contracts together, all at that block. */

import { inChunks } from '@flowgate/base/in-chunks';
import { rangeOf } from '@flowgate/bytes/byte-range';
import {
  type BlockName,
  type CallOutcome,
  type ContractCall,
  callQuestion,
  callTerms,
  outcomeOf,
} from '../upstream/networks/contract-call.ts';
import type { Network } from '../upstream/networks/network.ts';
import type { NodeAnswer, NodeQuestion } from '../upstream/port/node-port.ts';

export type ChainView = {
  readonly blockNumber: bigint;
  /** The outcomes in the order of the calls. */
  readonly call: (calls: readonly ContractCall[]) => Promise<readonly CallOutcome[]>;
  /** Another question to the same node. Undefined when there is no answer. */
  readonly ask: (question: NodeQuestion) => Promise<NodeAnswer | undefined>;
};

/** Calls in one JSON-RPC batch: below what providers accept. */
const batchSize = 50;
/** Batches, or single calls where there are no batches, that are in progress at once for one request. */
const maxAtOnce = 4;

/** `undefined` when no node of the network answers. `leftOut`: nodes that are not asked. */
export async function viewChain(
  network: Pick<Network, 'pool' | 'nodes'>,
  userId: string,
  leftOut?: ReadonlySet<string>,
): Promise<ChainView | undefined> {
  const terms = { ...callTerms(userId), leftOut };
  const head = await network.pool.send({ method: 'eth_blockNumber', params: rangeOf('[]'), ...terms });
  if (!head.ok || head.answer.kind !== 'result') return undefined;
  const number: unknown = JSON.parse(head.answer.raw.text());
  if (typeof number !== 'string' || !/^0x[0-9a-f]{1,13}$/i.test(number)) return undefined;
  const blockNumber = BigInt(number);
  const block: BlockName = `0x${blockNumber.toString(16)}`;
  // Another node may not have the block yet, or another block of this number.
  const node = network.nodes.find(({ nodeId }) => nodeId === head.nodeId)?.pool ?? network.pool;

  const ask = async (question: NodeQuestion) => {
    const reply = await node.send({ ...question, ...terms });
    return reply.ok ? reply.answer : undefined;
  };
  const callOne = async (call: ContractCall) => outcomeOf(await ask(callQuestion(call, block)));
  const callTogether = async (calls: readonly ContractCall[]): Promise<readonly CallOutcome[] | undefined> => {
    const questions = calls.map((call) => callQuestion(call, block));
    const reply = await node.sendBatch({ questions, ...terms });
    if (!reply.ok) return calls.map(() => ({ kind: 'unavailable' }));
    if (reply.answer.kind === 'batch') return reply.answer.answers.map(outcomeOf);
    // The node accepts no batches, or one of the calls has a large result: single calls show which one.
    if (reply.answer.kind === 'buffered') reply.answer.release();
    return undefined;
  };
  return {
    blockNumber,
    ask,
    async call(calls) {
      const outcomes = await inTurns(inChunks(calls, batchSize), async (batch) =>
        batch.length === 1 ? inTurns(batch, callOne) : ((await callTogether(batch)) ?? inTurns(batch, callOne)),
      );
      return outcomes.flat();
    },
  };
}

/** A few at a time; the results in order. */
async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const some of inChunks(items, maxAtOnce)) results.push(...(await Promise.all(some.map(work))));
  return results;
}
