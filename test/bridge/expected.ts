/** The model: the records that must be stored after any history of a simulated bridge, once both chains are read to their heads. */

import type { SimBridge } from '../../apps/gateway/test/fixtures/sim-bridge.ts';
import { l2HashOf, type TakenDeposit } from '../../apps/gateway/test/fixtures/sim-bridge-derivation.ts';
import { simTopics } from '../../apps/gateway/test/fixtures/sim-bridge-logs.ts';
import { isTrue, simKeys } from '../../apps/gateway/test/fixtures/sim-bridge-state.ts';
import { withdrawalStatusOn, withdrawalsOn } from './expected-withdrawals.ts';

export type Expected = {
  /** The key of the record: no other record may have it. */
  readonly key: string;
  /** A description for people. */
  readonly what: string;
  readonly statuses: readonly string[];
  /** Members with an exact value. */
  readonly members: Readonly<Record<string, unknown>>;
};

export type ExpectedView = {
  readonly deposits: readonly Expected[];
  readonly withdrawals: readonly Expected[];
  readonly swaps: readonly Expected[];
};

export function expectedView(bridge: SimBridge, confirmations: number): ExpectedView {
  return {
    deposits: bridge.deposits().map((taken) => expectedDeposit(bridge, taken, confirmations)),
    withdrawals: withdrawalsOn(bridge).map((placed) => ({
      key: placed.hash,
      what: `${placed.order.kind ?? 'ether'}, block ${placed.block.number}`,
      statuses: [withdrawalStatusOn(bridge, placed)],
      members: { l2TransactionHash: placed.transactionHash },
    })),
    swaps: expectedSwaps(bridge),
  };
}

function expectedDeposit(bridge: SimBridge, taken: TakenDeposit, confirmations: number): Expected {
  const l2TransactionHash = l2HashOf(taken);
  const { order, nth, block, logIndex, transactionHash } = taken;
  const outcome = depositOutcome(bridge, taken, confirmations);
  return {
    key: `${transactionHash} ${logIndex}`,
    what: `${order.kind ?? 'ether'} that ${order.fate ?? 'arrives'}, block ${block.number}`,
    statuses: outcome.statuses,
    members: {
      ...{ l2TransactionHash, l1BlockNumber: block.number },
      ...{ amount: String(order.amount + BigInt(nth)), from: order.contract ?? order.from, to: order.to },
      kind: { portal: 'native', ether: 'native', token: 'token', call: 'message', message: 'message' }[
        order.kind ?? 'ether'
      ],
      ...(outcome.failureReason !== undefined && { failureReason: outcome.failureReason }),
    },
  };
}

function depositOutcome(
  bridge: SimBridge,
  taken: TakenDeposit,
  confirmations: number,
): { readonly statuses: readonly string[]; readonly failureReason?: string } {
  const { messageHash, block } = taken;
  const arrived = bridge.l2.mined(l2HashOf(taken));
  const read = (key: string) => bridge.l2.read(bridge.l2.head(), key);
  if (arrived !== undefined) {
    if (!arrived.transaction.isSuccess) return { statuses: ['failed'], failureReason: 'l2_reverted' };
    if (messageHash === undefined || isTrue(read, simKeys.relayed(messageHash))) return { statuses: ['completed'] };
    return { statuses: ['failed'], failureReason: 'relay_failed' };
  }
  if (bridge.l1.head().number - block.number + 1 < confirmations) return { statuses: ['pending'] };
  return { statuses: ['confirmed', 'relaying'] };
}

function expectedSwaps(bridge: SimBridge): readonly Expected[] {
  return bridge.l2.blocks().flatMap((block) =>
    block.transactions.flatMap(({ hash, logs }) =>
      logs
        .filter(({ topics }) => topics[0] === simTopics.v2Swap || topics[0] === simTopics.v3Swap)
        .map((_, nth) => ({
          key: `${hash} ${nth}`,
          what: `block ${block.number}`,
          statuses: ['completed'],
          members: {},
        })),
    ),
  );
}
