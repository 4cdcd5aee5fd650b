/** Records the contracts that callers deploy: before the transaction leaves for a node, so that no crash loses one (contract/contracts#deployed, docs/decisions/0080). Wraps a node port. */

import { mayCarryTransactions, signedCreations } from '@flowgate/chain/transactions/signed-creations';
import { isJsonObject } from '@flowgate/json/json-object';
import type {
  BatchAnswer,
  JsonText,
  NodeAnswer,
  NodePort,
  NodeQuestion,
  NodeReply,
} from '../../upstream/port/node-port.ts';
import type { Creation, DeploymentRecorder } from './deployment-recorder.ts';

/** An EVM network. */
export type RecordedNetwork = { readonly dlt: string; readonly networkId: string; readonly chainId: number };

/** `kept`: accepted, or it cannot be known. Then the record stays, and the chain tells. */
type SubmissionVerdict = 'refused' | 'kept';

/** JSON-RPC's own codes for a request that was not executed: parse error, invalid request, no such method, invalid params. */
const notExecuted: ReadonlySet<number> = new Set([-32700, -32600, -32601, -32602]);
/** An internal error may come after the transaction was taken. 4 to 6: eth_sendRawTransactionSync has it in its pool, but has no receipt in time (EIP-7966). */
const unclear: ReadonlySet<number> = new Set([-32603, 4, 5, 6]);
/** The node, or one behind it, has the transaction already; or something failed on the way, perhaps after it had arrived. */
const mayHaveIt =
  /already|\bknown\b|duplicate|time[d ]*-?out|deadline|internal|unavailable|upstream|gateway|try again|retry|connection|overload|busy|temporar|\beof\b/i;

/** Whether a node has refused a transaction, or may have it: from what became of the call that submitted it. */
function verdictOnCall(reply: NodeReply<NodeAnswer>): SubmissionVerdict {
  if (!reply.ok) return reply.maybeDelivered ? 'kept' : 'refused';
  return reply.answer.kind === 'error' ? verdictOnError(reply.answer.raw) : 'kept';
}

/** For the call at place `nth` of a batch. */
function verdictOnElement(reply: NodeReply<BatchAnswer>, nth: number): SubmissionVerdict {
  if (!reply.ok) return reply.maybeDelivered ? 'kept' : 'refused';
  if (reply.answer.kind === 'error') return verdictOnError(reply.answer.raw);
  const answer = reply.answer.answers[nth];
  if (answer?.kind === 'failed') return answer.maybeDelivered ? 'kept' : 'refused';
  return answer?.kind === 'error' ? verdictOnError(answer.raw) : 'kept';
}

function verdictOnError(raw: JsonText): SubmissionVerdict {
  const error: unknown = JSON.parse(raw.text());
  if (!isJsonObject(error)) return 'kept';
  const { code, message } = error;
  if (typeof code === 'number' && notExecuted.has(code)) return 'refused';
  if (typeof code === 'number' && unclear.has(code)) return 'kept';
  return typeof message === 'string' && mayHaveIt.test(message) ? 'kept' : 'refused';
}

/**
 * The same port. Calls that may be repeated, and the gateway's own, are passed on at once, and so are those that create no contract. A database that does not answer costs the record,
 * which is logged, and never the call.
 */
export function recordDeployments(port: NodePort, network: RecordedNetwork, recorder: DeploymentRecorder): NodePort {
  const recorded = async <Reply>(
    userId: string,
    creations: readonly Creation[],
    send: () => Promise<Reply>,
    verdictOn: (reply: Reply, place: number) => SubmissionVerdict,
  ): Promise<Reply> => {
    const recordings = await recorder.begin(network, userId, creations);
    const reply = await send();
    const refused = recordings.filter(({ places }) => places.every((place) => verdictOn(reply, place) === 'refused'));
    if (refused.length > 0) await recorder.takeBack(network, refused);
    return reply;
  };
  return {
    send(call) {
      if (call.repeatable || call.caller === undefined) return port.send(call);
      const creations = creationsIn([call], network);
      return creations.length === 0
        ? port.send(call)
        : recorded(call.caller.userId, creations, () => port.send(call), verdictOnCall);
    },
    sendBatch(batch) {
      if (batch.repeatable || batch.caller === undefined) return port.sendBatch(batch);
      const creations = creationsIn(batch.questions, network);
      return creations.length === 0
        ? port.sendBatch(batch)
        : recorded(batch.caller.userId, creations, () => port.sendBatch(batch), verdictOnElement);
    },
  };
}

/** Signed for another chain, a transaction is refused by the network's nodes. */
function creationsIn(questions: readonly NodeQuestion[], { chainId }: RecordedNetwork): readonly Creation[] {
  return questions.flatMap(({ method, params }, place) => {
    if (params === undefined || !mayCarryTransactions(method)) return [];
    return signedCreations(params.text())
      .filter((transaction) => transaction.chainId === undefined || transaction.chainId === BigInt(chainId))
      .map((transaction) => ({ transaction, place }));
  });
}
