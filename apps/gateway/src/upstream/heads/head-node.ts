/** Requests of the gateway itself to one node, for blocks. */

import type { TimerWheel } from '@flowgate/async/timer-wheel';
import { rangeOf } from '@flowgate/bytes/byte-range';
import type { NodeFeed } from '../port/node-feed.ts';
import type { JsonText, NodeAnswer, NodePort, NodeReply } from '../port/node-port.ts';
import { quantityIn, type ReadBlock, readBlock } from './read-block.ts';

/** A node that the operator vouches for. */
export type AskedNode = {
  readonly nodeId: string;
  /** Sends to this node only. */
  readonly pool: NodePort;
  readonly feed?: NodeFeed | undefined;
};

type Result = JsonText | 'none' | 'failed';

export type HeadNode = Pick<AskedNode, 'nodeId' | 'feed'> & {
  /** Waits at most `waitMs` milliseconds. A later answer is discarded. */
  readonly ask: (method: string, params: string, waitMs: number) => Promise<Result>;
};

/** The transport's timeout, after which the node counts as hung. It exceeds all waits here, because a slow answer to these requests says little about the node. */
const answerTimeoutMs = 10_000;
/** With this many requests unanswered, further ones fail at once. */
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
  // The gateway's own requests never yield a buffered answer.
  answer.release();
  return 'failed';
}

/** `none`: the node has no such block, or refuses. `failed`: the node did not answer, or answered with another block. */
export type BlockAnswer = ReadBlock | 'none' | 'failed';

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

/** The height of the newest block; undefined if the node does not report one. */
export async function askHeight(node: HeadNode, waitMs: number): Promise<number | undefined> {
  const result = await node.ask('eth_blockNumber', '[]', waitMs);
  return typeof result === 'string' || result.length > 24 ? undefined : quantityIn(result.text());
}

async function askBlock(node: HeadNode, method: string, which: string, waitMs: number): Promise<BlockAnswer> {
  const result = await node.ask(method, `["${which}",false]`, waitMs);
  if (typeof result === 'string') return result;
  // The first byte of `null`.
  if (result.bytes[result.start] === 0x6e) return 'none';
  return readBlock(result) ?? 'failed';
}
