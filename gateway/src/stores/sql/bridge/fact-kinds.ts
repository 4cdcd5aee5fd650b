/** The kinds of facts that bridges and pools store. A new kind is a line here. */

import { loseDeposits, storeDeposits } from './deposit-statements.ts';
import { bridgeDepositsTable, bridgeRelaysTable } from './deposit-tables.ts';
import type { FactKind } from './fact-statements.ts';
import { loseRelays, storeRelays } from './relay-statements.ts';
import { loseSwaps, storeSwaps } from './swap-statements.ts';
import { bridgeSwapsTable } from './swap-table.ts';
import { loseTokens, storeTokens } from './token-statements.ts';
import { loseWithdrawals, storeWithdrawals } from './withdrawal-statements.ts';
import {
  bridgeFinalisationsTable,
  bridgeGamesTable,
  bridgeProofsTable,
  bridgeWithdrawalsTable,
} from './withdrawal-tables.ts';

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
      ['finalisations', bridgeFinalisationsTable.name],
    ],
  },
  { store: storeDeposits, lose: loseDeposits, tables: [['deposits', bridgeDepositsTable.name]] },
  { store: storeRelays, lose: loseRelays, tables: [['relays', bridgeRelaysTable.name]] },
  { store: storeSwaps, lose: loseSwaps, tables: [['swaps', bridgeSwapsTable.name]] },
];
