import { paymentStoreContract } from '../../../test/contracts/payment-store-contract.ts';
import { onEveryEngine } from '../../../test/contracts/sql-engines.ts';
import { createSqlPaymentStore } from './flow-payment-store.ts';

onEveryEngine((engine, open) => {
  paymentStoreContract(engine, async () => {
    const { database, other, close } = await open();
    return { store: createSqlPaymentStore(database), other: createSqlPaymentStore(other), close };
  });
});
