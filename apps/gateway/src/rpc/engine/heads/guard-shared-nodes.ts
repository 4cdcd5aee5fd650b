/** Sends questions that only the operator's nodes may answer to no node that users share (contract/nodes#what-shared-nodes-are-asked, docs/decisions/0130). Wraps the port to a network's nodes. */

import type { LedgerFamily } from '@flowgate/chain/families/ledger-family';
import type { NetworkHeads } from '../../../upstream/heads/network-heads.ts';
import type { CallTerms, NodePort, NodeQuestion } from '../../../upstream/port/node-port.ts';
import { type NamedBlock, namedBlock } from '../named-block.ts';

export type SharedNodesGuardDeps = {
  readonly heads: Pick<NetworkHeads, 'head' | 'hashAt' | 'reportedHeight'>;
  readonly family: Pick<LedgerFamily, 'blocks'>;
  readonly hasSharedNodes: () => boolean;
};

/** While no head is known here, the pool leaves out shared nodes for heights that no operator's node has reached. */
export function guardSharedNodes(port: NodePort, deps: SharedNodesGuardDeps): NodePort {
  const { family, hasSharedNodes } = deps;
  const isOwnOnly = (question: NodeQuestion, terms: CallTerms) =>
    isForOwnNodes(deps, namedBlock(family, question), terms.repeatable);
  return {
    send(call) {
      const isGuarded = hasSharedNodes() && call.onlyNode === undefined && isOwnOnly(call, call);
      return port.send(isGuarded ? { ...call, ownOnly: true } : call);
    },
    sendBatch(batch) {
      const isGuarded =
        hasSharedNodes() && batch.onlyNode === undefined && batch.questions.some((each) => isOwnOnly(each, batch));
      return port.sendBatch(isGuarded ? { ...batch, ownOnly: true } : batch);
    },
  };
}

function isForOwnNodes({ heads }: SharedNodesGuardDeps, named: NamedBlock, repeatable: boolean): boolean {
  // Before a head is reported to callers, no answer about the newest block can contradict one.
  const hasReported = heads.reportedHeight() !== undefined;
  switch (named.kind) {
    case 'none':
      return false;
    case 'height':
      return isBeyond(heads, named.height);
    case 'hash':
      return !isRemembered(heads, named.hash);
    case 'transaction':
      return true;
    case 'range':
      // A filter reports later blocks.
      if (isBeyond(heads, heightOf(named.from)) || isBeyond(heads, heightOf(named.to))) return true;
      return hasReported && (!repeatable || isOfNewest(named.from) || isOfNewest(named.to));
    case 'tag':
      return named.tag !== 'earliest' && hasReported;
    case 'head':
      return hasReported;
    // A transaction goes to any node that accepts it.
    case 'unknown':
      return repeatable && hasReported;
  }
}

/** Whether the height is above the followed head: a node of the operator may have the block, but it was not reported to callers yet. */
function isBeyond(heads: SharedNodesGuardDeps['heads'], height: number): boolean {
  return height > (heads.head()?.number ?? Number.POSITIVE_INFINITY);
}

function heightOf(end: Extract<NamedBlock, { kind: 'range' }>['from']): number {
  return end.kind === 'height' ? end.height : -1;
}

function isOfNewest(end: Extract<NamedBlock, { kind: 'range' }>['from']): boolean {
  return end.kind === 'tag' && end.tag !== 'earliest';
}

/** Whether the followed chain has the block among its stored blocks. */
function isRemembered(heads: SharedNodesGuardDeps['heads'], hash: string): boolean {
  for (let height = heads.head()?.number ?? -1; height >= 0; height--) {
    const known = heads.hashAt(height);
    if (known === undefined) return false;
    if (known === hash) return true;
  }
  return false;
}
