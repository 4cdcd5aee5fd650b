/** Records the contracts that callers deploy: before the transaction leaves for a node, so that no crash loses one (contract/contracts#deployed, docs/decisions/0080). Wraps a node port. */

import { mayCarryTransactions, signedCreations } from '@flowgate/chain/transactions/signed-creations';
import type { NodePort, NodeQuestion } from '../../upstream/port/node-port.ts';
import type { Creation, DeploymentRecorder } from './deployment-recorder.ts';
import { type SubmissionVerdict, verdictOnCall, verdictOnElement } from './submission-verdict.ts';

/** An EVM network. */
export type RecordedNetwork = { readonly dlt: string; readonly networkId: string; readonly chainId: number };

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
