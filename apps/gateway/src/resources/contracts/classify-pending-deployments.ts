/** Observes deployments on their chain: first their receipts, then more about those without one. */

import type { TimeSlices } from '@flowgate/async/time-slices';
import { isJsonObject } from '@flowgate/json/json-object';
import { askChain, type ChainQuestion } from '../../upstream/networks/ask-chain.ts';
import type { NodePort } from '../../upstream/port/node-port.ts';
import type { Sighting } from './classify-deployment.ts';
import type { DeploymentRecord } from './deployment.ts';

export type Sightings = {
  /** The number of the newest block; undefined when no node answered. */
  readonly head: number | undefined;
  /** In the order of the deployments. */
  readonly sightings: readonly Sighting[];
};

type ClassifyPendingDeploymentsDeps = {
  readonly pool: NodePort;
  readonly slices: TimeSlices;
  readonly confirmations: number;
};

const unclear: Sighting = { kind: 'unclear' };
const hashForm = /^0x[0-9a-f]{64}$/i;

/**
 * One observation of several deployments, in at most two requests. The head is requested before the receipts, so that a node without a receipt lacks it up to
 * that head. Never rejects.
 */
export async function classifyPendingDeployments(
  deps: ClassifyPendingDeploymentsDeps,
  deployments: readonly DeploymentRecord[],
): Promise<Sightings> {
  const answers = await askChain(deps.pool, deps.slices, [
    { method: 'eth_blockNumber', params: [] },
    ...deployments.map(({ transactionHash }) => ({ method: 'eth_getTransactionReceipt', params: [transactionHash] })),
  ]);
  const [headAnswer, ...receipts] = answers ?? [];
  const head = quantity(headAnswer);
  if (head === undefined) return { head, sightings: deployments.map(() => unclear) };
  const missing = deployments.filter((_, at) => receipts[at] === null);
  const looks = await lookFurther(deps, missing, head);
  const sightings = deployments.map((deployment, at): Sighting => {
    const receipt = receipts[at];
    return receipt === null ? (looks.get(deployment) ?? unclear) : minedFrom(deployment, receipt);
  });
  return { head, sightings };
}

function minedFrom({ transactionHash }: DeploymentRecord, receipt: unknown): Sighting {
  if (!isJsonObject(receipt)) return unclear;
  const { blockHash, status } = receipt;
  const blockNumber = quantity(receipt['blockNumber']);
  const isIts =
    typeof receipt['transactionHash'] === 'string' && receipt['transactionHash'].toLowerCase() === transactionHash;
  if (!isIts || blockNumber === undefined || typeof blockHash !== 'string' || !hashForm.test(blockHash)) return unclear;
  // Before Byzantium (EIP-658) a receipt does not say whether the execution succeeded.
  if (status !== undefined && status !== null && status !== '0x1' && status !== '0x0') return unclear;
  return { kind: 'mined', blockNumber, blockHash: blockHash.toLowerCase(), succeeded: status !== '0x0' };
}

/** Whether a node knows the transaction, whether its nonce was used, and whether its block still exists. */
async function lookFurther(
  { pool, slices, confirmations }: ClassifyPendingDeploymentsDeps,
  missing: readonly DeploymentRecord[],
  head: number,
): Promise<ReadonlyMap<DeploymentRecord, Sighting>> {
  if (missing.length === 0) return new Map();
  const finalBlock = head - confirmations + 1;
  const questions = missing.map((each) => questionsOn(each, finalBlock));
  const answers = await askChain(pool, slices, questions.flat());
  let at = 0;
  return new Map(
    missing.map((deployment, nth) => {
      const count = questions[nth]?.length ?? 0;
      at += count;
      return [deployment, missingFrom(deployment, (answers ?? []).slice(at - count, at), finalBlock)];
    }),
  );
}

function questionsOn(
  { transactionHash, deployer, blockNumber }: DeploymentRecord,
  finalBlock: number,
): ChainQuestion[] {
  if (blockNumber !== undefined)
    return [{ method: 'eth_getBlockByNumber', params: [hexadecimal(blockNumber), false] }, knows(transactionHash)];
  return finalBlock < 0
    ? [knows(transactionHash)]
    : [{ method: 'eth_getTransactionCount', params: [deployer, hexadecimal(finalBlock)] }, knows(transactionHash)];
}

/** Requested last, so that a transaction mined since the request for its receipt is known. */
function knows(transactionHash: string): ChainQuestion {
  return { method: 'eth_getTransactionByHash', params: [transactionHash] };
}

function missingFrom(deployment: DeploymentRecord, answers: readonly unknown[], finalBlock: number): Sighting {
  const transaction = answers.at(-1);
  const isKnown = isJsonObject(transaction);
  if (!isKnown && transaction !== null) return unclear;
  const [first] = answers;
  if (deployment.blockNumber !== undefined) {
    // No block at this height: the node has not reached it.
    const hash = isJsonObject(first) ? first['hash'] : undefined;
    if (typeof hash !== 'string' || !hashForm.test(hash)) return unclear;
    return { kind: 'missing', isKnown, isNonceUsed: false, isBlockGone: hash.toLowerCase() !== deployment.blockHash };
  }
  const used = finalBlock < 0 ? 0 : quantity(first);
  if (used === undefined) return unclear;
  return { kind: 'missing', isKnown, isNonceUsed: BigInt(used) > BigInt(deployment.nonce), isBlockGone: false };
}

/** A JSON-RPC quantity below 2^53. */
function quantity(value: unknown): number | undefined {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{1,14}$/i.test(value)) return undefined;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : undefined;
}

function hexadecimal(value: number): string {
  return `0x${value.toString(16)}`;
}
