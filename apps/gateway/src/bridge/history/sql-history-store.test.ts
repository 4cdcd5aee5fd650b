import type { Statement } from '@flowgate/sql/engine/database';
import { sql } from '@flowgate/sql/engine/sql-text';
import { selection } from '@flowgate/sql/engine/table';
import { onEveryEngine } from '../../../test/fixtures/sql-engines.ts';
import { bridgeDepositsTable } from '../deposits/deposit-tables.ts';
import { bridgeSwapsTable } from '../swaps/swap-table.ts';
import { bridgeWithdrawalsTable } from '../withdrawals/withdrawal-tables.ts';
import { historyStoreContract, type StoredRecord } from './history-store.contract.ts';
import { createSqlHistoryStore } from './sql-history-store.ts';

const [deposits, withdrawals, swaps] = [
  selection(bridgeDepositsTable),
  selection(bridgeWithdrawalsTable),
  selection(bridgeSwapsTable),
];

onEveryEngine((engine, open) => {
  historyStoreContract(engine, async () => {
    const { database, close } = await open();
    return {
      store: createSqlHistoryStore(database),
      add: async (records) => void (await database.transaction(records.map(insertion))),
      close,
    };
  });
});

function insertion({
  type,
  id,
  partition,
  from,
  to,
  sender = 'router',
  createdAtMs,
  lostAtMs,
}: StoredRecord): Statement {
  const ends = { from, to, nth: 0, createdAtMs, transactionHash: `hash ${id}` };
  if (type === 'swap') {
    const tokens = { tokenIn: 'in', amountIn: '1', tokenOut: 'out', amountOut: '2' };
    const block = { blockNumber: 1, blockHash: 'block', nonce: 0, pool: 'pool' };
    const swap = {
      swapId: id,
      streamId: partition,
      status: 'completed',
      sender,
      ...ends,
      ...tokens,
      ...block,
    } as const;
    const record = lostAtMs === undefined ? swap : { ...swap, lostAtMs };
    return sql`INSERT INTO bridge_swaps (${swaps.list}) VALUES (${swaps.values(record)})`;
  }
  const crossing = {
    bridgeId: partition,
    kind: 'token',
    amount: '7',
    ...ends,
    updatedAtMs: 0,
    statusChangedAtMs: 0,
  } as const;
  if (type === 'deposit') {
    const l1 = {
      l1Block: 1,
      l1BlockHash: 'block',
      l1LogIndex: 0,
      l1Token: 'token1',
      l2Token: 'token2',
      sender: from,
      nonce: 0,
    };
    const record = { depositId: id, status: 'completed', l2Hash: 'arrival', dueAtMs: 0, ...crossing, ...l1 } as const;
    return sql`INSERT INTO bridge_deposits (${deposits.list}) VALUES (${deposits.values(record)})`;
  }
  const tuple = { withdrawalHash: 'hash', nonce: '0', sender: from, target: to, value: '0', gasLimit: '0', data: '0x' };
  const record = {
    status: 'finalised',
    ...{ withdrawalId: id, tokenL1: 'token1', tokenL2: 'token2', ...crossing, ...tuple },
    ...{
      proveTransaction: 'proof',
      finalizeTransaction: 'finalisation',
      blockNumber: 1,
      signer: from,
      signerNonce: 0,
      revision: 0,
    },
  } as const;
  return sql`INSERT INTO bridge_withdrawals (${withdrawals.list}) VALUES (${withdrawals.values(record)})`;
}
