/** Asks one node of the operator about blocks, for the gateway itself. */

import type { TimerWheel } from '@flowgate/async/timer-wheel';
import { rangeOf } from '@flowgate/bytes/byte-range';
import type { NodeFeed } from '../port/node-feed.ts';
import type { JsonText, NodeAnswer, NodePort, NodeReply } from '../port/node-port.ts';
import { quantityIn, type ReadBlock, readBlock } from './read-block.ts';

/** A node whose word counts, as a network has it. */
export type AskedNode = {
  readonly nodeId: string;
  /** This node alone. */
  readonly pool: NodePort;
  readonly feed?: NodeFeed | undefined;
};

type Result = JsonText | 'none' | 'failed';

export type HeadNode = Pick<AskedNode, 'nodeId' | 'feed'> & {
  /** Waits `waitMs` milliseconds at most; what is answered later is no one's. */
  readonly ask: (method: string, params: string, waitMs: number) => Promise<Result>;
};

/** The node's own time for an answer, after which it counts as hung: longer than anybody waits for it here, since a slow answer to one of these questions says little about the node. */
const answerTimeoutMs = 10_000;
/** Questions without an answer: further ones fail at once. */
const maxUnanswered = 16;

export function createHeadNode({ nodeId, pool, feed }: AskedNode, timerWheel: TimerWheel): HeadNode {
  let unanswered = 0;
  return {
    nodeId,
    feed,
    ask(method, params, waitMs) {
      if (unanswered >= maxUnanswered) return Promise.resolve('failed');
      unanswered++;
      const { promise, resolve } = Promise.withResolvers<Result>();
      const deadline = timerWheel.arm(waitMs, () => resolve('failed'));
      const call = { method, params: rangeOf(params), repeatable: true, timeoutMs: answerTimeoutMs };
      void pool.send(call).then((reply) => {
        unanswered--;
        timerWheel.disarm(deadline);
        resolve(resultIn(reply));
      });
      return promise;
    },
  };
}

function resultIn(reply: NodeReply<NodeAnswer>): Result {
  if (!reply.ok) return 'failed';
  const { answer } = reply;
  if (answer.kind === 'result') return answer.raw;
  if (answer.kind === 'error') return 'none';
  // The gateway's own answers are never held.
  answer.release();
  return 'failed';
}

/** `none`: the node has no such block, or refuses. `failed`: it did not answer, or not with a block that was asked for. */
export type BlockAnswer = ReadBlock | 'none' | 'failed';

/** The newest block. */
export function askLatest(node: HeadNode, waitMs: number): Promise<BlockAnswer> {
  return askBlock(node, 'eth_getBlockByNumber', 'latest', waitMs);
}

export async function askFinalized(node: HeadNode, waitMs: number): Promise<BlockAnswer> {
  return askBlock(node, 'eth_getBlockByNumber', 'finalized', waitMs);
}

export async function askByHeight(node: HeadNode, height: number, waitMs: number): Promise<BlockAnswer> {
  const block = await askBlock(node, 'eth_getBlockByNumber', `0x${height.toString(16)}`, waitMs);
  return typeof block === 'string' || block.number === height ? block : 'failed';
}

export async function askByHash(node: HeadNode, hash: string, waitMs: number): Promise<BlockAnswer> {
  const block = await askBlock(node, 'eth_getBlockByHash', hash, waitMs);
  return typeof block === 'string' || block.hash === hash ? block : 'failed';
}

/** The height of the newest block; undefined when the node does not tell it. */
export async function askHeight(node: HeadNode, waitMs: number): Promise<number | undefined> {
  const result = await node.ask('eth_blockNumber', '[]', waitMs);
  return typeof result === 'string' || result.length > 24 ? undefined : quantityIn(result.text());
}

async function askBlock(node: HeadNode, method: string, which: string, waitMs: number): Promise<BlockAnswer> {
  const result = await node.ask(method, `["${which}",false]`, waitMs);
  if (typeof result === 'string') return result;
  // Null, as JSON has it.
  if (result.bytes[result.start] === 0x6e) return 'none';
  return readBlock(result) ?? 'failed';
}
