/** Fills both SQL engines with a million deposits, swaps and withdrawals, and measures pages of the history: first, deep and filtered, of wallets with few records and with very many. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@flowgate/base/clock';
import { isoTime } from '@flowgate/base/iso-time';
import { encodeCursor } from '@flowgate/base/page';
import type { Database } from '@flowgate/sql/engine/database';
import { openSqliteDatabase } from '@flowgate/sql/engine/sqlite/sqlite-database';
import { postgresMissing, testPostgres } from '@flowgate/testing/postgres';
import type { Bridge, SwapPool } from '../src/bridge/bridges/bridge.ts';
import type { BridgeWallet } from '../src/bridge/bridges/bridge-wallet.ts';
import { listHistory } from '../src/bridge/history/list-history.ts';
import { createSqlHistoryStore } from '../src/bridge/history/sql-history-store.ts';
import { createSqlTokenStore } from '../src/bridge/tokens/sql-token-store.ts';
import { schema } from '../src/storage/storage-schema.ts';
import type { Network } from '../src/upstream/networks/network.ts';
import { openAddress } from '../test/fixtures/open-address.ts';

const records = Number(process.argv[2] ?? 1_000_000);
const times = Number(process.argv[3] ?? 1_000);
const wallets = 10_000;
const beginMs = 1_700_000_000_000;
const stepMs = 12_000;

/**
 * One tenth is sent by the whale, and another tenth is dust that others send to it; other users have the rest. Each
 * block has several records.
 */
const number = (n: string) => `(1000000 + ${n})`;
const address = (n: string) => `'0x' || '${'0'.repeat(33)}' || ${number(n)}`;
const hash = (n: string) => `'0x' || '${'0'.repeat(57)}' || ${number(n)}`;
const id = (prefix: string) => `'${prefix}_' || '${'0'.repeat(19)}' || ${number('n')}`;
const from = `CASE WHEN n % 10 = 0 THEN ${address('0')} ELSE ${address(`1 + (n * 7919) % ${wallets}`)} END`;
const to = `CASE WHEN n % 10 = 1 THEN ${address('0')} ELSE ${address(`1 + (n * 104729) % ${wallets}`)} END`;
const time = `${beginMs} + CAST(${stepMs} AS BIGINT) * ((n * 7) % 100000)`;

const fills: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  bridge_deposits: {
    ...{
      deposit_id: id('dep'),
      bridge_id: `'main'`,
      transaction_hash: hash('n'),
      nth: '0',
      kind: `'native'`,
      amount: `'7'`,
    },
    ...{ from_address: from, to_address: to, sender: from, nonce: 'n', l1_block: 'n', l1_block_hash: `'0x'` },
    ...{ l1_log_index: '0', l2_hash: hash('n'), status: `'completed'`, due_at: '0' },
    ...{ created_at: time, updated_at: time, status_changed_at: time },
  },
  bridge_withdrawals: {
    ...{ withdrawal_id: id('wdr'), bridge_id: `'main'`, transaction_hash: hash('n'), nth: '0', block_number: 'n' },
    ...{
      kind: `'native'`,
      withdrawal_hash: hash('n'),
      nonce: `'0'`,
      sender: from,
      target: to,
      value: `'7'`,
      gas_limit: `'0'`,
    },
    ...{ data: `'0x'`, amount: `'7'`, from_address: from, to_address: to, signer: from, signer_nonce: 'n' },
    ...{ status: `'finalised'`, revision: '0', created_at: time, updated_at: time, status_changed_at: time },
  },
  bridge_swaps: {
    ...{ swap_id: id('swp'), stream_id: `'swaps/ethereum/l2'`, pool: `'0x'`, transaction_hash: hash('n'), nth: '0' },
    ...{
      block_number: 'n',
      block_hash: `'0x'`,
      created_at: time,
      status: `'completed'`,
      from_address: from,
      nonce: 'n',
    },
    ...{ sender_address: address('9999999'), to_address: to, token_in: address('0'), amount_in: `'7'` },
    ...{ token_out: address('1'), amount_out: `'7'` },
  },
};

async function fill(database: Database): Promise<void> {
  const chunk = 50_000;
  for (const [table, columns] of Object.entries(fills))
    for (let first = 0; first < records / 3; first += chunk) {
      const text = `INSERT INTO ${table} (${Object.keys(columns).join(', ')})
        WITH RECURSIVE counted(n) AS (SELECT CAST(? AS BIGINT) UNION ALL SELECT n + 1 FROM counted WHERE n < CAST(? AS BIGINT))
        SELECT ${Object.values(columns).join(', ')} FROM counted`;
      const last = Math.min(first + chunk, Math.ceil(records / 3)) - 1;
      await database.transaction([{ text, values: [first, last] }], { deadlineMs: 600_000 });
    }
  await database.transaction([{ text: 'ANALYZE', values: [] }], { deadlineMs: 600_000 });
}

const side = (networkId: string, chainId: number) => ({ dlt: 'ethereum', networkId, chainId, network: {} as Network });
const bridge: Bridge = {
  ...{ bridgeId: 'main', name: 'Main', l1: side('l1', 1), l2: side('l2', 2), confirmations: 1, tokens: [] },
  contracts: { portal: '0x', l1StandardBridge: '0x', l1CrossDomainMessenger: '0x', disputeGameFactory: '0x' },
  ...{ startBlocks: { l1: 0, l2: 0 }, stalledAfterMs: 1 },
};
const pool: SwapPool = { poolId: 'pool', side: bridge.l2, address: '0x', form: 'v2', startBlock: 0 };
const walletAt = (at: number): BridgeWallet => ({
  ...{ address: `0x${'0'.repeat(33)}${1_000_000 + at}`, kind: 'account', chainId: 1 },
});
const whale = [walletAt(0)];
const one = (chance: number) => [walletAt(1 + (chance % wallets))];
const twenty = (chance: number) => Array.from({ length: 20 }, (_, at) => walletAt((chance * at) % wallets));
/** A random time within the records. */
const timeAt = (chance: number) => beginMs + stepMs * ((chance * 31) % 100_000);
const cursorAt = (chance: number) => `cursor=${encodeCursor({ atMs: timeAt(chance), id: `swp_${'0'.repeat(26)}` })}`;

type Asking = {
  readonly wallets: (chance: number) => readonly BridgeWallet[];
  readonly query: (chance: number) => string;
};

const pages: Readonly<Record<string, Asking>> = {
  'one wallet, first page': { wallets: one, query: () => '' },
  'whale, first page': { wallets: () => whale, query: () => '' },
  'whale, deep page': { wallets: () => whale, query: cursorAt },
  'whale, page of 100': { wallets: () => whale, query: (chance) => `limit=100&${cursorAt(chance)}` },
  'whale, one type': { wallets: () => whale, query: (chance) => `type=withdrawal&${cursorAt(chance)}` },
  'whale, two hours': {
    wallets: () => whale,
    query: (chance) => `after=${isoTime(timeAt(chance))}&before=${isoTime(timeAt(chance) + 7_200_000)}`,
  },
  'twenty wallets, first page': { wallets: twenty, query: () => '' },
  'twenty wallets, deep page': { wallets: twenty, query: cursorAt },
  'twenty wallets, one of them': {
    wallets: twenty,
    query: (chance) => `wallet=${walletAt(0).address}&${cursorAt(chance)}`,
  },
};

async function measure(engine: string, database: Database): Promise<void> {
  const started = systemClock.monotonic();
  await fill(database);
  console.log(`${engine}: ${records} records in ${((systemClock.monotonic() - started) / 1_000).toFixed(0)} s`);
  const [store, tokens] = [createSqlHistoryStore(database), createSqlTokenStore(database)];
  const places = { bridges: [bridge], pools: [pool] };
  for (const [name, { wallets: walletsOf, query }] of Object.entries(pages)) {
    const took: number[] = [];
    let entries = 0;
    for (let at = -50; at < times; at++) {
      const chance = (at + 51) * 7_919;
      const parts = { store, tokens, places, walletsOf: async () => walletsOf(chance) };
      const begun = Bun.nanoseconds();
      const result = await listHistory(parts, 'alice', new URLSearchParams(query(chance)));
      if (!result.ok) throw new Error(result.detail);
      if (at < 0) continue;
      took.push((Bun.nanoseconds() - begun) / 1e6);
      entries += result.value.data.length;
    }
    took.sort((left, right) => left - right);
    const place = (share: number) => (took[Math.floor(took.length * share)] ?? 0).toFixed(2).padStart(7);
    const mean = (entries / times).toFixed(1).padStart(5);
    console.log(`  ${name.padEnd(28)} p50 ${place(0.5)} ms  p99 ${place(0.99)} ms  ${mean} entries`);
  }
}

const directory = mkdtempSync(join(tmpdir(), 'flowgate-history-'));
const patience = { deadlineMs: 600_000, writeDeadlineMs: 600_000 };
const sqlite = await openSqliteDatabase({
  schema,
  file: join(directory, 'flowgate.db'),
  clock: systemClock,
  ...patience,
});
await measure('SQLite', sqlite);
await sqlite.close();
rmSync(directory, { recursive: true });
if (postgresMissing === undefined) {
  const postgres = await openAddress(await (await testPostgres()).freshDatabase());
  await measure('PostgreSQL', postgres);
  await postgres.close();
}
process.exit(0);
