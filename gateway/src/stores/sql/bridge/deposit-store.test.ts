import { depositStoreContract } from '../../../../test/contracts/deposit-store-contract.ts';
import { onEveryEngine } from '../../../../test/contracts/sql-engines.ts';

onEveryEngine((engine, open) => depositStoreContract(engine, open));
