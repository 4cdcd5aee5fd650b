/** The kinds of facts that bridges and pools store. Add a line here for a new kind. */

import { bridgeDepositsTable, bridgeRelaysTable } from './deposits/deposit-tables.ts';
import { loseDeposits, storeDeposits } from './deposits/sql-deposit-statements.ts';
import { loseRelays, storeRelays } from './deposits/sql-relay-statements.ts';
import type { FactKind } from './facts/sql-fact-statements.ts';
import { loseSwaps, storeSwaps } from './swaps/sql-swap-statements.ts';
import { bridgeSwapsTable } from './swaps/swap-table.ts';
import { loseTokens, storeTokens } from './tokens/sql-token-statements.ts';
import { loseWithdrawals, storeWithdrawals } from './withdrawals/sql-withdrawal-statements.ts';
import {
  bridgeFinalizationsTable,
  bridgeGamesTable,
  bridgeProofsTable,
  bridgeWithdrawalsTable,
} from './withdrawals/withdrawal-tables.ts';

/** Stored and removed in this order. */
export const factKinds: readonly FactKind[] = [
  { store: storeTokens, lose: loseTokens, tables: [] },
  {
    store: storeWithdrawals,
    lose: loseWithdrawals,
    tables: [
      ['withdrawals', bridgeWithdrawalsTable.name],
      ['games', bridgeGamesTable.name],
      ['proofs', bridgeProofsTable.name],
      ['finalizations', bridgeFinalizationsTable.name],
    ],
  },
  { store: storeDeposits, lose: loseDeposits, tables: [['deposits', bridgeDepositsTable.name]] },
  { store: storeRelays, lose: loseRelays, tables: [['relays', bridgeRelaysTable.name]] },
  { store: storeSwaps, lose: loseSwaps, tables: [['swaps', bridgeSwapsTable.name]] },
];
