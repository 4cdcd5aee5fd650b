import { textOf } from '@flowgate/sql/engine/row';
import { auditedOn, auditNote } from '../../test/fixtures/audited.ts';
import { onEveryEngine } from '../../test/fixtures/sql-engines.ts';
import { keyRecord } from '../identity/keys/api-key-store.contract.ts';
import { createSqlApiKeyStore } from '../identity/keys/sql-api-key-store.ts';
import { policyStoreContract } from './policy-store.contract.ts';
import { createSqlPolicyStore } from './sql-policy-store.ts';

onEveryEngine((engine, open) => {
  policyStoreContract(engine, async () => {
    const { database, other, close } = await open();
    return {
      store: createSqlPolicyStore(database, auditedOn(database)),
      other: createSqlPolicyStore(other, auditedOn(other)),
      async audited() {
        const rows = await database.query('SELECT action, target FROM audit_entries ORDER BY audit_id', []);
        return rows.map((row) => `${textOf(row, 'action')} ${textOf(row, 'target')}`);
      },
      async mint(userId, keyId) {
        const keys = createSqlApiKeyStore(database, auditedOn(database));
        await keys.insertIfUnder(keyRecord({ ownerId: userId, keyId }), 10, 0, auditNote({ target: keyId }));
      },
      close,
    };
  });
});
