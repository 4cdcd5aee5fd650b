/**
 * Wraps a port and sends signed transactions, with true replies even when nodes fail (contract/transactions). Other
 * calls pass unchanged.
 */

import type { Clock } from '@flowgate/base/clock';
import type { ByteBudget } from '@flowgate/bytes/byte-budget';
import { ByteRange } from '@flowgate/bytes/byte-range';
import type { Network } from '../../../upstream/networks/network.ts';
import type { JsonText, NodeBatch, NodeCall, NodePort } from '../../../upstream/port/node-port.ts';
import { JoinedAnswers } from '../joined-answers.ts';
import { batchOf, createBatchSplitter } from '../split-batch.ts';
import { Submission, type SubmissionNodes } from './submission.ts';
import type { TransactionKind } from './transaction-kind.ts';

export type TransactionsDeps = {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** The budget that large answers are charged to. */
  readonly budget: ByteBudget;
  /** Milliseconds. Limits a call's own timeout, and is the default. */
  readonly timeoutMs: number;
  readonly kind: TransactionKind;
  /** Methods whose calls are repeatable. */
  readonly reads: ReadonlySet<string>;
  /** The number of nodes that receive a transaction at once. */
  readonly broadcast: number;
};

export type TransactionsNetwork = Pick<Network, 'everyNode' | 'isCordoned'>;

const noNodes: SubmissionNodes = { own: [], ofUsers: [] };

/** `network`: undefined for a port of a single node. */
export function sendTransactions(
  port: NodePort,
  network: TransactionsNetwork | undefined,
  deps: TransactionsDeps,
): NodePort {
  const { kind, reads } = deps;
  const split = createBatchSplitter(deps);
  const isTransaction = (method: string) => method === kind.method;
  /**
   * Undefined when the call contains no readable transaction. Such a call is sent once, like any other call that is not
   * a read.
   */
  const submissionOf = (call: NodeCall): Submission | undefined => {
    const transaction = call.params === undefined ? undefined : kind.read(call.params);
    const nodes = network === undefined ? noNodes : nodesOf(network);
    // A broadcast to slower nodes may outlive the request and its memory.
    const ownCall = deps.broadcast > 1 && call.params !== undefined ? { ...call, params: copyOf(call.params) } : call;
    return transaction && new Submission({ ...deps, port, nodes }, ownCall, transaction);
  };
  /** Sends the other calls of a batch. Its reads stay repeatable even when the batch has other calls. */
  const rest = async (batch: NodeBatch) => {
    const places = batch.questions.map((_, at) => at);
    const isRead = (at: number) => reads.has(batch.questions[at]?.method ?? '');
    const groups = [places.filter(isRead), places.filter((at) => !isRead(at))].filter(({ length }) => length > 0);
    if (groups.length < 2) return port.sendBatch(batch);
    const joined = new JoinedAnswers(places.length, { budget: deps.budget, userId: batch.caller?.userId });
    const asked = groups.map(async (group) =>
      joined.putBatch(group, await port.sendBatch(batchOf(batch, group, reads))),
    );
    await Promise.all(asked);
    return joined.reply();
  };
  return {
    send(call) {
      if (call.repeatable || !isTransaction(call.method)) return port.send(call);
      return submissionOf(call)?.run(call.onlyNode) ?? port.send(call);
    },
    sendBatch(batch) {
      if (batch.repeatable) return port.sendBatch(batch);
      // Transactions go one after the other, and to the same node while it accepts them, because a later one may depend
      // on an earlier one.
      let lastNode = batch.onlyNode;
      return Promise.resolve(
        split(batch, {
          takes: ({ method }) => isTransaction(method),
          async single(call) {
            const reply = await (submissionOf(call)?.run(lastNode) ?? port.send(call));
            if (reply.ok && reply.answer.kind === 'result' && deps.broadcast === 1) lastNode ??= reply.nodeId;
            return reply;
          },
          rest,
          atOnce: 1,
        }),
      );
    },
  };
}

function nodesOf({ everyNode, isCordoned }: TransactionsNetwork): SubmissionNodes {
  const [own, ofUsers]: [string[], string[]] = [[], []];
  for (const { nodeId, ownerId } of everyNode())
    if (ownerId !== undefined) ofUsers.push(nodeId);
    else if (!isCordoned(nodeId)) own.push(nodeId);
  return { own, ofUsers };
}

function copyOf({ bytes, start, end }: JsonText): JsonText {
  return new ByteRange(Buffer.from(bytes.subarray(start, end)), 0, end - start);
}
