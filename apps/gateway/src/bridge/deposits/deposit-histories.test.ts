/**
 * Random histories of two chains. At each step every deposit has the status that the chains imply, without duplicates or gaps (contract/deposits#statuses).
 * `FLOWGATE_HISTORIES=1000` runs 1,000 of them.
 */

import { expect, test } from 'bun:test';
import { type Chance, chanceFrom } from '@flowgate/testing/seeded-chance';
import { testRounds } from '@flowgate/testing/test-rounds';
import { type DepositFollower, followDeposits } from '../../../test/fixtures/deposit-follower.ts';
import { type Fate, messageHashOf, type SentDeposit } from '../../../test/fixtures/deposit-world.ts';
import { onEveryEngine } from '../../../test/fixtures/sql-engines.ts';
import type { DepositStatus } from './deposit.ts';

const histories = testRounds({ short: 2, long: 5, variable: 'FLOWGATE_HISTORIES' });
const seed = Number(process.env['FLOWGATE_SEED'] ?? 11);
const steps = 24;

const fates: readonly Fate[] = ['portal', 'portal-reverts', 'relayed', 'relay-fails', 'message-reverts'];
const order: readonly DepositStatus[] = ['pending', 'confirmed', 'relaying'];

/** The last reported record, and whether a reorganization has removed its end since. */
type Reported = { status: DepositStatus; isReset: boolean; id: string };

onEveryEngine((engine, open) => {
  test(`${histories} histories on ${engine}`, async () => {
    for (let at = 0; at < histories; at++) {
      const { database, close } = await open();
      await history(await followDeposits(database), chanceFrom(seed + at), `history ${seed + at}`);
      await close();
    }
  }, 600_000);
});

async function history(follower: DepositFollower, chance: Chance, name: string): Promise<void> {
  const { world } = follower;
  const sent: SentDeposit[] = [];
  const reported = new Map<string, Reported>();
  for (let step = 0; step < steps; step++) {
    const ended = new Map(sent.map((each) => [each.hash, world.endOf(each) !== undefined]));
    const what = act(follower, sent, chance);
    for (const each of sent)
      if (ended.get(each.hash) === true && world.endOf(each) === undefined) reset(reported.get(each.hash));
    for (const chain of chance(2) === 0 ? (['l1', 'l2'] as const) : (['l2', 'l1'] as const)) {
      await follower.read(chain, 1 + chance(4));
      if (chance(2) === 0) await follower.settle();
      await follower.read(chain);
    }
    await follower.settleAll();
    await check(follower, sent, reported, `${name}, step ${step}: ${what}`);
  }
}

function reset(reported: Reported | undefined): void {
  if (reported !== undefined) reported.isReset = true;
}

function act({ world, time }: DepositFollower, sent: SentDeposit[], chance: Chance): string {
  const what = chance(12);
  const some = sent[chance(Math.max(1, sent.length))];
  if (what <= 2) {
    for (let left = 1 + chance(3); left > 0; left--) sent.push(world.send(fates[chance(fates.length)] ?? 'portal'));
    world.mineL1();
    return 'deposits';
  }
  if (what <= 4) {
    for (let left = 1 + chance(4); left > 0; left--) world.mineL1(chance(3) > 0);
    return 'blocks of L1';
  }
  if (what <= 7) {
    for (let left = 1 + chance(6); left > 0; left--) world.derive();
    return 'derivation';
  }
  if (what === 8) {
    world.reorganizeL1(1 + chance(6), chance(2) === 0);
    return 'a reorganization of L1';
  }
  if (what === 9) {
    world.reorganizeL2(1 + chance(4));
    return 'a reorganization of L2';
  }
  const hash = some && messageHashOf(some);
  if (what === 10 && some !== undefined && hash !== undefined && world.endOf(some) === 'relay_failed') {
    world.replay(hash);
    return 'a replay';
  }
  if (what === 11 && some !== undefined && world.blockOf(some) === undefined) {
    world.pool = world.pool.filter(({ hash: waiting }) => waiting !== some.hash);
    world.usedByOthers.add(some.sender);
    return 'another transaction with the nonce';
  }
  time.nowMs += 1_000;
  return 'nothing';
}

async function check(
  follower: DepositFollower,
  sent: readonly SentDeposit[],
  reported: Map<string, Reported>,
  context: string,
): Promise<void> {
  for (const each of sent) {
    const record = await follower.recordOf(each);
    const before = reported.get(each.hash);
    const block = follower.world.blockOf(each);
    // Never mined in a block that the follower has read.
    if (record === undefined && before === undefined && block === undefined) continue;
    const chains = follower.expected(each);
    const isOpen = (status: DepositStatus | undefined) => status !== undefined && order.includes(status);
    // Forward only: a chain that becomes shorter moves no status back.
    const isUnchanged =
      block !== undefined &&
      before !== undefined &&
      !before.isReset &&
      record?.l1BlockHash === block.hash &&
      isOpen(before.status) &&
      isOpen(chains.status) &&
      record.status === before.status &&
      order.indexOf(before.status) > order.indexOf(chains.status);
    const status = isUnchanged ? before.status : chains.status;
    const shown = { status: record?.status, failureReason: record?.failureReason, id: before?.id ?? record?.depositId };
    expect([context, shown]).toEqual([context, { status, failureReason: chains.failureReason, id: record?.depositId }]);
    if (block !== undefined) expect([context, record?.l1BlockHash]).toEqual([context, block.hash]);
    if (record !== undefined) reported.set(each.hash, { status: record.status, isReset: false, id: record.depositId });
  }
}
