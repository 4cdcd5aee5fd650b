/** The ledger families by name. A new family needs a file in this folder, a name in `family-names`, and a line here. */

import { bitcoin } from './bitcoin.ts';
import { evm } from './evm.ts';
import type { FamilyName } from './family-names.ts';
import type { LedgerFamily } from './ledger-family.ts';
import { solana } from './solana.ts';

export const ledgerFamilies: Readonly<Record<FamilyName, LedgerFamily>> = { evm, solana, bitcoin };
