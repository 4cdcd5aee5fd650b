/** Deployments on a real chain: mined, reverted, reorganized, replaced, dropped; checked with a clock that the test controls. */

import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTimeSlices } from '@flowgate/async/time-slices';
import { systemClock } from '@flowgate/base/clock';
import { createTypeIds } from '@flowgate/base/ids';
import { systemRandomBytes } from '@flowgate/base/random';
import { rangeOf } from '@flowgate/bytes/byte-range';
import type { Lease } from '@flowgate/sql/coordination/lease-store';
import { createSqlLeaseStore } from '@flowgate/sql/coordination/sql-lease-store';
import type { Database } from '@flowgate/sql/engine/database';
import { openSqliteDatabase } from '@flowgate/sql/engine/sqlite/sqlite-database';
import { createManualClock, type ManualClock } from '@flowgate/testing/manual-clock';
import { until } from '@flowgate/testing/until';
import { type Hex, keccak256 } from 'viem';
import {
  type AnvilChain,
  chainAccount as account,
  deploys,
  reverts,
  startAnvil,
} from '../../../test/fixtures/anvil-chain.ts';
import { patientDeadlineMs } from '../../../test/fixtures/open-address.ts';
import { schema } from '../../storage/storage-schema.ts';
import type { NodePort } from '../../upstream/port/node-port.ts';
import { createDeploymentRecorder } from './deployment-recorder.ts';
import type { DeploymentStore } from './deployment-store.ts';
import { type FollowDeps, followDeployments, followRound } from './follow-deployments.ts';
import { recordDeployments } from './record-deployments.ts';
import { createSqlDeploymentStore } from './sql-deployment-store.ts';

const dayMs = 86_400_000;
const ledger = { dlt: 'ethereum', networkId: 'dev' };
const directory = mkdtempSync(join(tmpdir(), 'flowgate-follow-'));
const going = new AbortController().signal;
const caller = { userId: 'alice', request: { signal: going } };

let chain: AnvilChain;
let database: Database;
let store: DeploymentStore;
let clock: ManualClock;
let lease: Lease;
let deps: FollowDeps;
let snapshot: unknown;
let recorded: NodePort;
let recordedOn: (networkId: string) => NodePort;

beforeAll(async () => {
  chain = await startAnvil();
});
afterAll(async () => {
  await chain.kill();
  rmSync(directory, { recursive: true });
});
beforeEach(async () => {
  clock = createManualClock();
  const file = join(directory, `${crypto.randomUUID()}.db`);
  database = await openSqliteDatabase({ schema, file, clock: systemClock, deadlineMs: patientDeadlineMs });
  store = createSqlDeploymentStore(database);
  const attempt = await createSqlLeaseStore(database).acquire('deployed contracts', 'one', 3_600_000);
  if (!attempt.acquired) throw new Error('the lease was acquired');
  lease = attempt.lease;
  const timeSlices = createTimeSlices(systemClock);
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  deps = { store, networks: [], clock, timeSlices, log };
  const newId = createTypeIds(clock, systemRandomBytes);
  const recorder = createDeploymentRecorder({ store, clock, newId, timeSlices, log });
  recordedOn = (networkId) => recordDeployments(chain.nodes, { dlt: ledger.dlt, networkId, chainId: 31337 }, recorder);
  recorded = recordedOn(ledger.networkId);
  await chain.call('evm_setAutomine', false);
  snapshot = await chain.call('evm_snapshot');
});

/** A check after some time of all due deployments; returns the state of each deployment, oldest first. */
async function look({ confirmations = 3, afterMs = 600_000, port = chain.nodes } = {}): Promise<string[]> {
  clock.advance(afterMs);
  await followRound(deps, { ...ledger, pool: port, confirmations }, lease, going);
  const { records } = await store.list('alice', {}, { limit: 100 });
  return records
    .toReversed()
    .map(({ status, failureReason = '', blockNumber }) =>
      [status, failureReason, blockNumber === undefined ? '' : 'mined'].join(' ').replaceAll(/ +/g, ' ').trim(),
    );
}

const nonceOf = async () => Number(await chain.call('eth_getTransactionCount', account.address, 'latest'));
type Fields = { nonce?: number; data?: Hex; to?: Hex; maxFeePerGas?: bigint; maxPriorityFeePerGas?: bigint };

async function signed(fields: Fields = {}): Promise<Hex> {
  return account.signTransaction({
    type: 'eip1559',
    chainId: 31337,
    nonce: await nonceOf(),
    gas: 200_000n,
    maxFeePerGas: 10n ** 10n,
    maxPriorityFeePerGas: 10n ** 9n,
    data: deploys,
    ...fields,
  } as Parameters<typeof account.signTransaction>[0]);
}

async function submit(raw: Hex, port = recorded): Promise<void> {
  const params = rangeOf(JSON.stringify([raw]));
  const reply = await port.send({ method: 'eth_sendRawTransaction', params, repeatable: false, caller });
  expect(reply.ok).toBe(true);
}

const mine = (blocks = 1) => chain.call('anvil_mine', blocks);
const restore = async () => {
  expect(await chain.call('evm_revert', snapshot)).toBe(true);
  await database.close();
};

test('pending, in a block, deployed at its confirmations, and the contract has the recorded address', async () => {
  await submit(await signed());
  expect(await look()).toEqual(['pending']);
  await mine();
  expect(await look()).toEqual(['pending mined']);
  await mine();
  expect(await look()).toEqual(['pending mined']);
  await mine();
  expect(await look()).toEqual(['deployed mined']);
  const [record] = (await store.list('alice', {}, { limit: 1 })).records;
  expect(await chain.call('eth_getCode', record?.address, 'latest')).toBe('0x00');
  await mine(64);
  await look();
  expect(await store.due('ethereum', 'dev', clock.now() + 365 * dayMs, 10)).toEqual([]);
  await restore();
});

test('an execution that reverts fails', async () => {
  await submit(await signed({ data: reverts }));
  await mine(3);
  expect(await look()).toEqual(['failed reverted mined']);
  await restore();
});

test('a reorganization that removes it makes it pending again, and deployed when it is mined again', async () => {
  const raw = await signed();
  await submit(raw);
  await mine(3);
  expect(await look()).toEqual(['deployed mined']);
  // The last five blocks are replaced by empty ones.
  await chain.call('anvil_reorg', 3, []);
  await mine();
  expect(await look()).toEqual(['pending']);
  await chain.call('anvil_dropAllTransactions');
  expect(await chain.call('eth_sendRawTransaction', raw)).toBeString();
  await mine(3);
  expect(await look()).toEqual(['deployed mined']);
  await restore();
});

test('replaced when another transaction used its nonce, at the depth of the confirmations', async () => {
  await submit(await signed());
  const nonce = await nonceOf();
  const other = await signed({
    nonce,
    to: account.address,
    data: '0x',
    maxFeePerGas: 10n ** 11n,
    maxPriorityFeePerGas: 10n ** 10n,
  });
  await chain.call('eth_sendRawTransaction', other);
  await mine();
  expect(await look()).toEqual(['pending']);
  await mine();
  expect(await look()).toEqual(['pending']);
  await mine();
  expect(await look()).toEqual(['failed replaced']);
  await restore();
});

test('dropped after a day unseen, and pending again when it is sent again', async () => {
  const raw = await signed();
  await submit(raw);
  expect(await look({ afterMs: 2 * dayMs })).toEqual(['pending']);
  await chain.call('anvil_dropAllTransactions');
  expect(await look()).toEqual(['pending']);
  expect(await look({ afterMs: dayMs - 1_000 })).toEqual(['pending']);
  expect(await look({ afterMs: 1_000_000 })).toEqual(['failed dropped']);
  await submit(raw);
  expect(await look()).toEqual(['pending']);
  await mine(3);
  expect(await look()).toEqual(['deployed mined']);
  await restore();
});

test('nodes without batches, with malformed answers or without answers change nothing, and the next check finds the state', async () => {
  await submit(await signed());
  await mine(3);
  const nothing: NodePort = {
    send: async () => ({ ok: false, failure: 'unreachable', maybeDelivered: false }),
    sendBatch: async () => ({ ok: false, failure: 'unreachable', maybeDelivered: false }),
  };
  const saying = (raw: string): NodePort => ({
    send: chain.nodes.send,
    sendBatch: async ({ questions }) => ({
      ok: true,
      nodeId: 'liar',
      answer: {
        kind: 'batch',
        answers: questions.map(({ method }) => ({
          kind: 'result',
          raw: rangeOf(method === 'eth_blockNumber' ? '"0xffff"' : raw),
        })),
      },
    }),
  });
  expect(await look({ port: nothing })).toEqual(['pending']);
  for (const raw of [
    '{}',
    '7',
    '"0x"',
    '[]',
    '{"transactionHash":"0x1","blockNumber":"0x1","blockHash":"0x1","status":"0x1"}',
    'true',
  ])
    expect([raw, await look({ port: saying(raw) })]).toEqual([raw, ['pending']]);
  const withoutBatches: NodePort = {
    send: chain.nodes.send,
    sendBatch: async () => ({
      ok: true,
      nodeId: 'old',
      answer: { kind: 'error', raw: rangeOf('{"code":-32600,"message":"no batches"}') },
    }),
  };
  expect(await look({ port: withoutBatches })).toEqual(['deployed mined']);
  await restore();
});

test('many deployments of one user are checked in few requests and do not delay another user’s', async () => {
  const first = await nonceOf();
  for (let at = 0; at < 30; at++) await submit(await signed({ nonce: first + at }));
  await mine(3);
  let requests = 0;
  const counting: NodePort = {
    send: chain.nodes.send,
    sendBatch(batch) {
      requests += 1;
      return chain.nodes.sendBatch(batch);
    },
  };
  expect(await look({ port: counting })).toEqual(Array(30).fill('deployed mined'));
  expect(requests).toBe(2);
  const [last] = (await store.list('alice', {}, { limit: 1 })).records;
  const paced = (last?.dueAtMs ?? 0) - clock.now();
  // With 30 followed deployments, the check is 0.6 s later than with one.
  expect(paced).toBe(75_000 + 600);
  await restore();
});

test('a receipt that no node can return does not prevent the check of others', async () => {
  const first = await nonceOf();
  const raws = await Promise.all(Array.from({ length: 9 }, (_, at) => signed({ nonce: first + at })));
  for (const raw of raws) await submit(raw);
  await mine(3);
  const unspeakable = keccak256(raws[4] ?? '0x');
  const choking: NodePort = {
    send: chain.nodes.send,
    sendBatch: (batch) =>
      batch.questions.some(({ params }) => params?.text().includes(unspeakable))
        ? Promise.resolve({ ok: false, failure: 'unusable', maybeDelivered: true })
        : chain.nodes.sendBatch(batch),
  };
  expect((await look({ port: choking })).sort()).toEqual([...Array(8).fill('deployed mined'), 'pending']);
  await restore();
});

test('a network whose nodes hang delays no other network and no shutdown', async () => {
  const raw = await signed();
  const hanging: NodePort = { send: () => new Promise(() => {}), sendBatch: () => new Promise(() => {}) };
  await submit(raw);
  await submit(raw, recordedOn('hanging'));
  await mine(3);
  clock.advance(600_000);
  const networks = [
    { ...ledger, networkId: 'hanging', pool: hanging, confirmations: 3 },
    { ...ledger, pool: chain.nodes, confirmations: 3 },
  ];
  const stopping = new AbortController();
  const following = followDeployments({ ...deps, networks }, lease, stopping.signal);
  const statusOn = async (networkId: string) =>
    (await store.list('alice', { networkId }, { limit: 1 })).records[0]?.status;
  await until('the other deployment is deployed', async () => (await statusOn('dev')) === 'deployed');
  stopping.abort();
  await following;
  expect(await statusOn('hanging')).toBe('pending');
  await restore();
});

test('a leader whose lease is lost writes nothing', async () => {
  await submit(await signed());
  await mine(3);
  await createSqlLeaseStore(database).acquire('deployed contracts', 'one', 3_600_000);
  expect(await look()).toEqual(['pending']);
  await restore();
});
