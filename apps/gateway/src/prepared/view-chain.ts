/** A view of one block of a network through one node. All contract calls of the view use this block. */

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
  /** Returns the outcomes in the order of the calls. */
  readonly call: (calls: readonly ContractCall[]) => Promise<readonly CallOutcome[]>;
  /** Sends any other call to the same node. Undefined when the node gives no answer. */
  readonly ask: (question: NodeQuestion) => Promise<NodeAnswer | undefined>;
};

/** The number of calls in one JSON-RPC batch, below the limits of providers. */
const batchSize = 50;
/** The maximum number of batches in flight for one request, or of single calls when the node accepts no batches. */
const maxAtOnce = 4;

/** Undefined when no node of the network answers. `leftOut`: nodes that receive no calls. */
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
  // All calls go to the same node: another node may lack the block, or have a different block of this number.
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
    // The node accepts no batches, or a call has a large result. Single calls show which call.
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

/** Works on a few items at a time. Returns the results in order. */
async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const some of inChunks(items, maxAtOnce)) results.push(...(await Promise.all(some.map(work))));
  return results;
}
