/** Keeps from nodes that users share what only the operator's nodes may be asked about (contract/nodes#what-shared-nodes-are-asked, docs/decisions/0130). Wraps the port to a network's nodes. */

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
  // Until a caller was given a head, there is nothing that an answer about the newest block could contradict.
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
      // A filter is asked for blocks that come later.
      if (isBeyond(heads, heightOf(named.from)) || isBeyond(heads, heightOf(named.to))) return true;
      return hasReported && (!repeatable || isOfNewest(named.from) || isOfNewest(named.to));
    case 'tag':
      return named.tag !== 'earliest' && hasReported;
    case 'head':
      return hasReported;
    // A transaction goes wherever it is taken.
    case 'unknown':
      return repeatable && hasReported;
  }
}

/** Whether the height is above the followed head: one node of the operator may have it, but callers do not know of it yet. */
function isBeyond(heads: SharedNodesGuardDeps['heads'], height: number): boolean {
  return height > (heads.head()?.number ?? Number.POSITIVE_INFINITY);
}

function heightOf(end: Extract<NamedBlock, { kind: 'range' }>['from']): number {
  return end.kind === 'height' ? end.height : -1;
}

function isOfNewest(end: Extract<NamedBlock, { kind: 'range' }>['from']): boolean {
  return end.kind === 'tag' && end.tag !== 'earliest';
}

/** Whether the chain that the gateway follows has the block, as far back as it is remembered. */
function isRemembered(heads: SharedNodesGuardDeps['heads'], hash: string): boolean {
  for (let height = heads.head()?.number ?? -1; height >= 0; height--) {
    const known = heads.hashAt(height);
    if (known === undefined) return false;
    if (known === hash) return true;
  }
  return false;
}
