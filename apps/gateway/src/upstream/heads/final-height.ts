/** The final height of a chain: the node's `finalized` block, or `confirmations` below the head if nodes do not support `finalized`. */

import { backOffMs } from '@flowgate/async/back-off';
import type { Clock } from '@flowgate/base/clock';
import { askFinalized, type HeadNode } from './head-node.ts';
import type { RememberedChain } from './remembered-chain.ts';

export type FinalHeight = {
  readonly current: () => number | undefined;
  /** Asks the nodes when the interval is over and no request is in flight. */
  readonly update: (nodes: readonly HeadNode[]) => void;
  /** Drops the final height: the chain lost blocks below it. */
  readonly forget: () => void;
};

/** Minimum distance between two requests; both apply. */
const refreshAfter = { blocks: 8, ms: 12_000 } as const;
/** Pause after nodes refuse the request. */
const refusals = { firstMs: 60_000, maxMs: 3_600_000 } as const;
const answerTimeoutMs = 3_000;
/** Nodes that are asked. The lowest answer counts, because one node may be wrong. */
const maxAsked = 2;

export function createFinalHeight(
  chain: RememberedChain,
  clock: Pick<Clock, 'monotonic'>,
  confirmations: number,
): FinalHeight {
  let reported: number | undefined;
  let isRefused = false;
  let refused = 0;
  let nextMs = Number.NEGATIVE_INFINITY;
  let nextHeight = 0;
  let isAsking = false;
  /** Increases with `forget`. Answers to requests of an earlier generation are ignored. */
  let generation = 0;

  function raise(height: number): void {
    if (height >= 0 && (reported === undefined || height > reported)) reported = height;
  }

  async function ask(nodes: readonly HeadNode[], height: number): Promise<void> {
    isAsking = true;
    const begun = generation;
    nextMs = clock.monotonic() + refreshAfter.ms;
    nextHeight = height + refreshAfter.blocks;
    const answers = await Promise.all(nodes.slice(0, maxAsked).map((node) => askFinalized(node, answerTimeoutMs)));
    isAsking = false;
    if (generation !== begun) return;
    const blocks = answers.filter((answer) => typeof answer !== 'string');
    if (blocks.length > 0) {
      refused = 0;
      isRefused = false;
      const lowest = blocks.reduce((one, other) => (other.number < one.number ? other : one));
      const known = chain.at(lowest.number);
      const isOurs = known === undefined || known.hash === lowest.hash;
      if (isOurs && lowest.number <= (chain.tip()?.number ?? -1)) raise(lowest.number);
    } else if (answers.includes('none')) {
      isRefused = true;
      refused++;
      nextMs = clock.monotonic() + backOffMs(refusals, refused);
    }
  }

  return {
    current() {
      const tip = chain.tip();
      // The height never decreases, so an earlier `finalized` answer still counts.
      if (isRefused && tip !== undefined) raise(tip.number - confirmations);
      return reported;
    },
    update(nodes) {
      const tip = chain.tip();
      if (tip === undefined || nodes.length === 0 || isAsking) return;
      if (clock.monotonic() < nextMs || (tip.number < nextHeight && !isRefused)) return;
      void ask(nodes, tip.number);
    },
    forget() {
      generation++;
      reported = undefined;
      nextMs = Number.NEGATIVE_INFINITY;
      nextHeight = 0;
    },
  };
}
