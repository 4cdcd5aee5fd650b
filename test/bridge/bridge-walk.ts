/** A random history of a simulated bridge: users send, roots are posted, challenged and blacklisted, both chains are reorganized. The same seed gives the same history. */

import type { SimBridge, SimSide } from '../../apps/gateway/test/fixtures/sim-bridge.ts';
import { simDelays } from '../../apps/gateway/test/fixtures/sim-bridge-places.ts';
import { gamesIn } from '../../apps/gateway/test/fixtures/sim-bridge-state.ts';
import { addresses } from './bridge-people.ts';
import { latestProof, withdrawalsOn } from './expected-withdrawals.ts';

export type BridgeWalk = {
  /** Mines a few blocks with the transactions of users. */
  readonly step: () => void;
  /** A reorganization of random depth, of either chain, with or without its transactions. */
  readonly reorganize: () => string;
  readonly reorganizations: () => number;
};

const maxDepth = 20;
const kinds = ['portal', 'call', 'ether', 'token', 'message'] as const;
const fates = ['arrives', 'arrives', 'arrives', 'reverts', 'relay-fails'] as const;

export function createBridgeWalk(bridge: SimBridge): BridgeWalk {
  const { chance, l1, l2 } = bridge;
  let reorganizations = 0;
  const pick = <T>(all: readonly T[]): T | undefined => all[chance(all.length)];
  const someone = () => pick(addresses) ?? '';
  const some = () => BigInt(1 + chance(1_000_000));
  const read = (key: string) => l1.read(l1.head(), key);

  function send(): void {
    const order = { from: someone(), to: someone(), amount: some(), kind: pick(kinds) ?? 'ether', token: chance(3) };
    const times = chance(4) === 0 ? 2 : 1;
    const what = chance(10);
    if (what < 4) bridge.deposit({ ...order, times, fate: pick(fates) ?? 'arrives' });
    else if (what < 7) bridge.withdraw({ ...order, times });
    else if (what < 9)
      bridge.swap({
        ...{ from: someone(), to: someone(), pool: chance(2), isZeroIn: chance(2) === 0, times },
        ...{ amountIn: some(), amountOut: some() },
      });
    else bridge.decoy(chance(2) === 0 ? 'l1' : 'l2', someone());
  }

  /** Steps that follow on earlier ones: proofs, finalizations, replays, games. */
  function advanceRecords(): void {
    const withdrawal = pick(withdrawalsOn(bridge).slice(-40));
    const game = pick(gamesIn(read).slice(-4));
    const what = chance(12);
    if (what < 2) bridge.propose();
    else if (what < 6 && withdrawal !== undefined)
      bridge.proveWithdrawal(withdrawal.hash, chance(5) === 0 ? someone() : undefined);
    else if (what < 9 && withdrawal !== undefined) {
      const submitter = latestProof(bridge, withdrawal.hash)?.submitter ?? someone();
      bridge.finalize(withdrawal.hash, someone(), submitter, chance(6) > 0);
    } else if (what === 9 && game !== undefined && chance(2) === 0) bridge.challenge(game.address);
    else if (what === 10 && game !== undefined) bridge.resolve(game.address);
    else if (what === 11) unusual(game?.address);
  }

  function unusual(game: string | undefined): void {
    const what = chance(4);
    if (what === 0 && game !== undefined) bridge.blacklist(game);
    if (what === 1) bridge.pause(chance(3) === 0);
    if (what === 2) bridge.createToken(someone(), chance(3));
    if (what === 3) {
      const failed = bridge.deposits().filter(({ order }) => order.fate === 'relay-fails');
      const messageHash = pick(failed.slice(-10))?.messageHash;
      if (messageHash !== undefined) bridge.replay(someone(), messageHash);
    }
  }

  return {
    step() {
      for (let more = chance(6); more > 0; more--) send();
      for (let more = chance(4); more > 0; more--) advanceRecords();
      for (const game of gamesIn(read).slice(-6)) if (chance(3) === 0) bridge.resolve(game.address);
      if (chance(8) === 0) bridge.skip(chance(simDelays.maturity));
      bridge.mine('l1', chance(3));
      if (chance(4) > 0) bridge.mine('l2', 1 + chance(2));
    },
    reorganize() {
      const side: SimSide = chance(2) === 0 ? 'l1' : 'l2';
      const chain = side === 'l1' ? l1 : l2;
      const depth = Math.min(1 + chance(maxDepth), chain.head().number - 1);
      const keep = ([true, false, 'pending'] as const)[chance(3)] ?? false;
      if (depth < 1) return 'none';
      bridge.reorganize(side, depth, keep, depth + chance(3));
      reorganizations++;
      return `${side} by ${depth}, keep: ${keep}`;
    },
    reorganizations: () => reorganizations,
  };
}
