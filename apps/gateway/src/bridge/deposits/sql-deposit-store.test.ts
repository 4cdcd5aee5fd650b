import { onEveryEngine } from '../../../test/fixtures/sql-engines.ts';
import { depositStoreContract } from './deposit-store.contract.ts';

onEveryEngine((engine, open) => depositStoreContract(engine, open));
