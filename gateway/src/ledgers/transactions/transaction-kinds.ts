/** The signed transactions of each ledger family (contract/transactions). */

import type { FamilyName } from '../families/family-names.ts';
import { evmTransactions } from './evm-transactions.ts';
import type { TransactionKind } from './transaction-kind.ts';

/** Of families that are missing, a transaction is sent once, as any call that is no read. */
export const transactionKinds: Partial<Readonly<Record<FamilyName, TransactionKind>>> = { evm: evmTransactions };
