/** The withdrawals that must be reported, derived from the state of both chains alone. */

import type { SimBridge, TakenWithdrawal } from '../../apps/gateway/test/fixtures/sim-bridge.ts';
import type { BridgeBlock } from '../../apps/gateway/test/fixtures/sim-bridge-chain.ts';
import { simTopics } from '../../apps/gateway/test/fixtures/sim-bridge-logs.ts';
import { simDelays } from '../../apps/gateway/test/fixtures/sim-bridge-places.ts';
import {
  challengerWins,
  checkWithdrawal,
  defenderWins,
  gameIn,
  gamesIn,
  isTrue,
  outcomeIn,
  proofIn,
  respectedIn,
  type SimGame,
  simKeys,
  submittersIn,
} from '../../apps/gateway/test/fixtures/sim-bridge-state.ts';

export type PlacedWithdrawal = TakenWithdrawal & {
  readonly transactionHash: string;
  readonly nth: number;
  readonly block: BridgeBlock;
};

/** All withdrawals on L2 now, in order. */
export function withdrawalsOn(bridge: SimBridge): readonly PlacedWithdrawal[] {
  return bridge.l2.blocks().flatMap((block) =>
    block.transactions.flatMap(({ hash: transactionHash, logs }) =>
      logs
        .filter(({ topics }) => topics[0] === simTopics.passed)
        .flatMap((log, nth) => {
          const taken = bridge.withdrawalBy(`0x${log.data.slice(2 + 3 * 64, 2 + 4 * 64)}`);
          return taken === undefined ? [] : [{ ...taken, transactionHash, nth, block }];
        }),
    ),
  );
}

type Proof = { readonly submitter: string; readonly game: SimGame | undefined; readonly timestamp: number };

/** The proof of the latest submitter. */
export function latestProof(bridge: SimBridge, hash: string): Proof | undefined {
  const read = (key: string) => bridge.l1.read(bridge.l1.head(), key);
  const submitter = submittersIn(read, hash).at(-1);
  if (submitter === undefined) return undefined;
  const { game, timestamp } = proofIn(read, hash, submitter);
  return { submitter, game: gameIn(read, game), timestamp };
}

export type WithdrawalStatus =
  | 'awaiting_state_root'
  | 'ready_to_prove'
  | 'in_dispute_window'
  | 'challenged'
  | 'ready_to_finalise'
  | 'finalised'
  | 'failed';

type Ranked = { readonly isOwn: boolean; readonly status: WithdrawalStatus };

/** By the portal's rules at L1's head. A proof that is ready counts; else proofs of the withdrawal's own wallets precede others', and the most advanced one counts. */
export function withdrawalStatusOn(bridge: SimBridge, { hash, block, order }: PlacedWithdrawal): WithdrawalStatus {
  const head = bridge.l1.head();
  const read = (key: string) => bridge.l1.read(head, key);
  if (isTrue(read, simKeys.finalized(hash))) return isDelivered(bridge, hash) ? 'finalised' : 'failed';
  const { type, updatedAt } = respectedIn(read);
  const isUsable = (game: SimGame) =>
    game.type === type &&
    game.createdAt >= updatedAt &&
    !isTrue(read, simKeys.blacklisted(game.address)) &&
    outcomeIn(read, game.address).status !== challengerWins;
  const own: readonly string[] = [order.contract ?? order.from, order.to];
  const proofs = [...new Set(submittersIn(read, hash))].flatMap((submitter): readonly Ranked[] => {
    const isOwn = own.includes(submitter);
    const { game: address, timestamp } = proofIn(read, hash, submitter);
    const game = gameIn(read, address);
    if (game === undefined || !isUsable(game) || timestamp <= game.createdAt) return [];
    if (checkWithdrawal({ ...head, read }, hash, submitter) === undefined)
      return [{ isOwn, status: 'ready_to_finalise' }];
    const isOpen = outcomeIn(read, address).status !== defenderWins;
    const isChallenged = isOpen && isTrue(read, simKeys.challenged(address));
    return [{ isOwn, status: isChallenged ? 'challenged' : 'in_dispute_window' }];
  });
  const counting = proofs.some(({ isOwn }) => isOwn) ? proofs.filter(({ isOwn }) => isOwn) : proofs;
  for (const status of ['ready_to_finalise', 'in_dispute_window', 'challenged'] as const)
    if ((status === 'ready_to_finalise' ? proofs : counting).some((each) => each.status === status)) return status;
  const isCovered = gamesIn(read).some((game) => isUsable(game) && game.l2BlockNumber >= block.number);
  return isCovered ? 'ready_to_prove' : 'awaiting_state_root';
}

function isDelivered(bridge: SimBridge, hash: string): boolean {
  for (const { logs } of bridge.l1.blocks().toReversed())
    for (const { topics, data } of logs)
      if (topics[0] === simTopics.finalized && topics[1] === hash) return BigInt(data) === 1n;
  return true;
}

/** Seconds after which every window that is open now has ended. */
export const everyWindow = simDelays.maturity + simDelays.finality + simDelays.clock + 2;
