/** The statements that store the facts of a range of blocks, and those that take facts back. Each kind of fact has its own file beside this one, and its lines here. */

import type { NewTypeId } from '@flowgate/base/ids';
import type { RangeFacts } from '../../../bridge/indexing/range-facts.ts';
import type { Statement } from '../engine/database.ts';
import type { Dialect } from '../engine/dialect.ts';
import { loseDeposits, storeDeposits } from './deposit-statements.ts';
import { loseRelays, storeRelays } from './relay-statements.ts';
import { loseSwaps, storeSwaps } from './swap-statements.ts';
import { loseTokens, storeTokens } from './token-statements.ts';
import { loseWithdrawals, storeWithdrawals } from './withdrawal-statements.ts';

export type FactContext = {
  readonly dialect: Dialect;
  readonly streamId: string;
  /** Of a bridge's stream; of a network's pools it is what the stream's id begins with. */
  readonly bridgeId: string;
  /** The stream's network. */
  readonly place: { readonly dlt: string; readonly networkId: string };
  /** Milliseconds since the Unix epoch. */
  readonly nowMs: number;
  /** For what is stored for the first time. */
  readonly newId: NewTypeId;
};

/** Blocks that were part of the chain, or that are read again: what they brought to the stream is lost unless it is stored again afterwards, maybe in the same transaction. */
export type LostBlocks = {
  readonly streamId: string;
  /** The last block that stays. */
  readonly keep: number;
  /** The last block that is lost: for a reorganisation beyond every block. */
  readonly upTo: number;
  readonly nowMs: number;
};

/** Facts of a kind that is known already keep their id and get their new block: the statements may be repeated. */
export type StoreFacts = (facts: RangeFacts, context: FactContext) => readonly Statement[];

/** A few statements whatever was stored, each of them served by an index. */
export type LoseFacts = (lost: LostBlocks) => readonly Statement[];

const stores: readonly StoreFacts[] = [storeTokens, storeWithdrawals, storeDeposits, storeRelays, storeSwaps];

const losses: readonly LoseFacts[] = [loseTokens, loseWithdrawals, loseDeposits, loseRelays, loseSwaps];

export function storeFacts(facts: RangeFacts, context: FactContext): readonly Statement[] {
  return stores.flatMap((store) => store(facts, context));
}

export function loseFacts(lost: LostBlocks): readonly Statement[] {
  return losses.flatMap((lose) => lose(lost));
}
