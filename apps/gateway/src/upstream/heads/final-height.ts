/** The height up to which a chain cannot be lost any more: the `finalized` block where nodes tell it, else as many blocks below the head as its network waits for. */

import { backOffMs } from '@flowgate/async/back-off';
import type { Clock } from '@flowgate/base/clock';
import { askFinalized, type HeadNode } from './head-node.ts';
import type { RememberedChain } from './remembered-chain.ts';

export type FinalHeight = {
  readonly current: () => number | undefined;
  /** Asks, if it is time to; not more than once at a time. */
  readonly keepUp: (nodes: readonly HeadNode[]) => void;
  /** The chain was lost below it. */
  readonly forget: () => void;
};

/** It is asked for after so many blocks, and not more often than that. */
const after = { blocks: 8, ms: 12_000 } as const;
/** Nodes that refuse are asked again. */
const refusals = { firstMs: 60_000, maxMs: 3_600_000 } as const;
const answerTimeoutMs = 3_000;
/** The lowest of their answers counts, since one node may be wrong. */
const asked = 2;

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
  /** Answers to questions from before are void. */
  let era = 0;

  function raise(height: number): void {
    if (height >= 0 && (reported === undefined || height > reported)) reported = height;
  }

  async function ask(nodes: readonly HeadNode[], height: number): Promise<void> {
    isAsking = true;
    const begun = era;
    nextMs = clock.monotonic() + after.ms;
    nextHeight = height + after.blocks;
    const answers = await Promise.all(nodes.slice(0, asked).map((node) => askFinalized(node, answerTimeoutMs)));
    isAsking = false;
    if (era !== begun) return;
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
      // A node that told it once and refuses now is not believed less than before.
      if (isRefused && tip !== undefined) raise(tip.number - confirmations);
      return reported;
    },
    keepUp(nodes) {
      const tip = chain.tip();
      if (tip === undefined || nodes.length === 0 || isAsking) return;
      if (clock.monotonic() < nextMs || (tip.number < nextHeight && !isRefused)) return;
      void ask(nodes, tip.number);
    },
    forget() {
      era++;
      reported = undefined;
      nextMs = Number.NEGATIVE_INFINITY;
      nextHeight = 0;
    },
  };
}
