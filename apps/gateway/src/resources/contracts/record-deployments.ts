/**
 * Records the contracts that callers deploy before the transaction is sent to a node, so that no crash loses one (contract/contracts#deployed,
 * docs/decisions/0080). Wraps a node port.
 */

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

/** `retained`: accepted, or unknown. Then the record is retained, and the chain decides. */
type SubmissionVerdict = 'refused' | 'retained';

/** JSON-RPC's codes for a request that was not executed: parse error, invalid request, unknown method, invalid params. */
const notExecuted: ReadonlySet<number> = new Set([-32700, -32600, -32601, -32602]);
/**
 * An internal error may occur after the node accepted the transaction. 4 to 6: eth_sendRawTransactionSync has it in its pool, but no receipt in time
 * (EIP-7966).
 */
const unclear: ReadonlySet<number> = new Set([-32603, 4, 5, 6]);
/** The node, or one behind it, already has the transaction; or the call failed on the way, perhaps after delivery. */
const mayHaveIt =
  /already|\bknown\b|duplicate|time[d ]*-?out|deadline|internal|unavailable|upstream|gateway|try again|retry|connection|overload|busy|temporar|\beof\b/i;

/** Whether a node refused a transaction or may have it, by the outcome of the call that submitted it. */
function verdictOnCall(reply: NodeReply<NodeAnswer>): SubmissionVerdict {
  if (!reply.ok) return reply.maybeDelivered ? 'retained' : 'refused';
  return reply.answer.kind === 'error' ? verdictOnError(reply.answer.raw) : 'retained';
}

/** For the call at position `nth` of a batch. */
function verdictOnElement(reply: NodeReply<BatchAnswer>, nth: number): SubmissionVerdict {
  if (!reply.ok) return reply.maybeDelivered ? 'retained' : 'refused';
  if (reply.answer.kind === 'error') return verdictOnError(reply.answer.raw);
  const answer = reply.answer.answers[nth];
  if (answer?.kind === 'failed') return answer.maybeDelivered ? 'retained' : 'refused';
  return answer?.kind === 'error' ? verdictOnError(answer.raw) : 'retained';
}

function verdictOnError(raw: JsonText): SubmissionVerdict {
  const error: unknown = JSON.parse(raw.text());
  if (!isJsonObject(error)) return 'retained';
  const { code, message } = error;
  if (typeof code === 'number' && notExecuted.has(code)) return 'refused';
  if (typeof code === 'number' && unclear.has(code)) return 'retained';
  return typeof message === 'string' && mayHaveIt.test(message) ? 'retained' : 'refused';
}

/**
 * The same port. Repeatable calls, the gateway's own calls and calls that create no contract are passed on unchanged. A database that does not answer costs
 * the record, which is logged, and never the call.
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

/** The network's nodes refuse a transaction that is signed for another chain. */
function creationsIn(questions: readonly NodeQuestion[], { chainId }: RecordedNetwork): readonly Creation[] {
  return questions.flatMap(({ method, params }, place) => {
    if (params === undefined || !mayCarryTransactions(method)) return [];
    return signedCreations(params.text())
      .filter((transaction) => transaction.chainId === undefined || transaction.chainId === BigInt(chainId))
      .map((transaction) => ({ transaction, place }));
  });
}
