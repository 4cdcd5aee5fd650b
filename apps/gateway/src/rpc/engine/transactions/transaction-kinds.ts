/** The signed transactions of each ledger family (contract/transactions). */

import type { FamilyName } from '@flowgate/chain/families/family-names';
import { bitcoinTransactions } from './bitcoin-transactions.ts';
import { evmTransactions } from './evm-transactions.ts';
import { solanaTransactions } from './solana-transactions.ts';
import type { TransactionKind } from './transaction-kind.ts';

export const transactionKinds: Readonly<Record<FamilyName, TransactionKind>> = {
  evm: evmTransactions,
  solana: solanaTransactions,
  bitcoin: bitcoinTransactions,
};
