/** The client's deposits, withdrawals and history: the route of each call, watching a record, and unreadable answers (contract/bridge). */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { createFlowgate, type Flowgate } from '../src/create-flowgate.ts';
import type { Deposit, HistoryEntry, Withdrawal } from '../src/wire.ts';
import { refusalOf } from './refusal-of.ts';

const wallet = `0x${'a'.repeat(40)}`;
const sides = {
  source: { dlt: 'ethereum', networkId: 'l1' },
  destination: { dlt: 'ethereum', networkId: 'l2' },
  token: { native: true, symbol: 'ETH', decimals: 18 },
};
const atTime = '2026-11-22T10:00:00.000Z';
const times = { createdAt: atTime, updatedAt: atTime, statusChangedAt: atTime };
const hash = (digit: string) => `0x${digit.repeat(64)}`;

const deposit: Deposit = {
  ...{ depositId: 'dep_1', bridgeId: 'main', kind: 'native', status: 'pending', stalled: false, ...sides, ...times },
  ...{ amount: '5', from: wallet, to: wallet, l1TransactionHash: hash('1'), l1LogIndex: 0, l1BlockNumber: 7 },
  ...{ l2TransactionHash: hash('2'), confirmations: 1, requiredConfirmations: 3 },
};
const withdrawal: Withdrawal = {
  ...{ withdrawalId: 'wdr_1', bridgeId: 'main', kind: 'native', withdrawalHash: hash('3'), nonce: '1', ...sides },
  ...{ status: 'awaiting_state_root', blockers: ['state_root_not_posted', 'not_proven'], ...times },
  ...{ amount: '5', from: wallet, to: wallet, l2TransactionHash: hash('4') },
};
const entry: HistoryEntry = {
  ...{ type: 'swap', id: 'swp_1', status: 'completed', createdAt: atTime, dlt: 'ethereum', networkId: 'l2', wallet },
  sent: { token: { native: false, address: wallet, symbol: 'TKN', decimals: 18 }, amount: '1' },
  received: { token: { native: false, address: wallet }, amount: '2' },
  transactions: [{ dlt: 'ethereum', networkId: 'l2', hash: hash('5'), purpose: 'swap' }],
};
const prepared = {
  transactions: [
    { chainId: 1, from: wallet, to: wallet, data: '0x', value: '5', gas: '21000', description: 'Deposit 5 wei' },
  ],
};

/** A server in the gateway's place: its next answers, and its received requests. */
let server: Bun.Server<undefined>;
let answers: object[] = [];
const asked: string[] = [];
let client: Flowgate;

beforeAll(() => {
  server = Bun.serve({
    ...{ hostname: '127.0.0.1', port: 0 },
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      asked.push(`${request.method} ${pathname}${search} ${await request.text()}`.trim());
      const next = answers.length > 1 ? answers.shift() : answers[0];
      return Response.json(next, { status: statusOf(next) });
    },
  });
  client = createFlowgate({ url: `http://127.0.0.1:${server.port}`, apiKey: 'fk_test' });
});
afterAll(() => server.stop(true));
beforeEach(() => {
  asked.length = 0;
});

/** The message of a StandardError. */
function statusOf(body: object | undefined): number {
  return body !== undefined && 'error' in body && 'status' in body ? Number(body.status) : 200;
}

const refusal = (status: number) => ({ timestamp: 0, status, error: 'E', message: 'no', path: '/' });

test('each call requests its route with the given filters', async () => {
  answers = [{ data: [deposit], nextCursor: 'next' }, { data: [deposit] }];
  const filter = { status: 'pending', bridgeId: 'main', wallet } as const;
  expect(await Array.fromAsync(client.deposits.list({ filter, limit: 1 }))).toEqual([deposit, deposit]);
  answers = [{ data: [withdrawal] }];
  expect(await client.withdrawals.page({ filter: { status: 'challenged' } })).toEqual({ data: [withdrawal] });
  answers = [{ data: [entry] }];
  expect(await client.history.page({ filter: { type: 'swap', wallet, after: atTime } })).toEqual({ data: [entry] });
  answers = [deposit];
  expect(await client.deposits.get('dep_1')).toEqual(deposit);
  answers = [withdrawal];
  expect(await client.withdrawals.get('wdr_1')).toEqual(withdrawal);
  answers = [prepared];
  const input = { bridgeId: 'main', wallet, token: 'native', amount: '5' };
  expect(await client.deposits.prepare(input)).toEqual(prepared);
  expect(await client.withdrawals.prepare({ ...input, to: wallet })).toEqual(prepared);
  expect(await client.withdrawals.prove('wdr_1')).toEqual(prepared);
  expect(await client.withdrawals.finalize('wdr_1', { wallet })).toEqual(prepared);
  const filtered = `limit=1&status=pending&bridgeId=main&wallet=${wallet}`;
  expect(asked).toEqual([
    `GET /users/me/deposits?${filtered}`,
    `GET /users/me/deposits?${filtered.replace('limit=1', 'limit=1&cursor=next')}`,
    'GET /users/me/withdrawals?status=challenged',
    `GET /users/me/history?type=swap&wallet=${wallet}&after=${encodeURIComponent(atTime)}`,
    'GET /users/me/deposits/dep_1',
    'GET /users/me/withdrawals/wdr_1',
    `POST /deposits/transactions ${JSON.stringify(input)}`,
    `POST /withdrawals/transactions ${JSON.stringify({ ...input, to: wallet })}`,
    'POST /users/me/withdrawals/wdr_1/prove {}',
    `POST /users/me/withdrawals/wdr_1/finalize ${JSON.stringify({ wallet })}`,
  ]);
});

test('the deprecated `finalise` requests the same route as `finalize`, and the field has both names', async () => {
  answers = [prepared];
  expect(await client.withdrawals.finalise('wdr_1', { wallet })).toEqual(
    await client.withdrawals.finalize('wdr_1', { wallet }),
  );
  expect(new Set(asked)).toEqual(new Set([`POST /users/me/withdrawals/wdr_1/finalize ${JSON.stringify({ wallet })}`]));
  const both = { finalizeTransactionHash: hash('6'), finaliseTransactionHash: hash('6') };
  answers = [{ ...withdrawal, ...both }];
  const { finalizeTransactionHash, finaliseTransactionHash } = await client.withdrawals.get('wdr_1');
  expect({ finalizeTransactionHash, finaliseTransactionHash }).toEqual(both);
});

test('a record without one of its members, or with one of another kind, is unreadable', async () => {
  const kinds = [
    [deposit, () => client.deposits.get('x'), ['stalledReason', 'failureReason', 'staleSince']],
    [withdrawal, () => client.withdrawals.get('x'), ['disputeWindowEndsAt', 'proveTransactionHash', 'staleSince']],
    [entry, () => client.history.page(), ['sent', 'received']],
    [prepared.transactions[0] ?? {}, () => client.deposits.prepare({ ...input, token: 'native' }), []],
  ] as const;
  for (const [whole, call, optional] of kinds) {
    const wrap = (record: object) =>
      whole === entry ? { data: [record] } : whole === prepared.transactions[0] ? { transactions: [record] } : record;
    for (const name of Object.keys(whole)) {
      const { [name]: _, ...without } = { ...whole } as Record<string, unknown>;
      answers = [wrap(without)];
      const mayBeAbsent = (optional as readonly string[]).includes(name);
      if (mayBeAbsent) await call();
      else expect([name, (await refusalOf(call())).kind]).toEqual([name, 'unreadable']);
      answers = [wrap({ ...whole, [name]: null })];
      expect([name, (await refusalOf(call())).kind]).toEqual([name, 'unreadable']);
    }
    for (const name of optional) {
      answers = [wrap({ ...whole, [name]: 5 })];
      expect([name, (await refusalOf(call())).kind]).toEqual([name, 'unreadable']);
    }
  }
});

const input = { bridgeId: 'main', wallet, amount: '5' };

describe('watching', () => {
  const statuses = async (records: AsyncIterable<{ readonly status: string }>) =>
    (await Array.fromAsync(records)).map(({ status }) => status);

  test('yields the record, then each change once, and ends when it is final', async () => {
    const confirmed: Deposit = { ...deposit, status: 'confirmed' };
    const completed: Deposit = { ...deposit, status: 'completed' };
    answers = [deposit, deposit, confirmed, confirmed, completed];
    expect(await statuses(client.deposits.watch('dep_1', { everyMs: 1 }))).toEqual([
      ...['pending', 'confirmed', 'completed'],
    ]);
    expect(asked.length).toBe(5);
    const blocked: Withdrawal = { ...withdrawal, blockers: ['not_proven'] };
    answers = [withdrawal, blocked, { ...withdrawal, status: 'failed', blockers: [] }];
    expect(await statuses(client.withdrawals.watch('wdr_1', { everyMs: 1 }))).toEqual([
      ...['awaiting_state_root', 'awaiting_state_root', 'failed'],
    ]);
  });

  test('continues over the configured number of temporary failures in a row; a permanent failure ends it', async () => {
    answers = [deposit, refusal(502), { ...deposit, status: 'completed' }];
    expect(await statuses(client.deposits.watch('dep_1', { everyMs: 1, retries: 1 }))).toEqual([
      ...['pending', 'completed'],
    ]);
    answers = [refusal(502)];
    const ended = (retries: number) => refusalOf(statuses(client.deposits.watch('dep_1', { everyMs: 1, retries })));
    asked.length = 0;
    expect([(await ended(1)).status, asked.length]).toEqual([502, 2]);
    answers = [refusal(404)];
    asked.length = 0;
    expect([(await ended(5)).status, asked.length]).toEqual([404, 1]);
  });

  test('ends with the reason of its signal, also while it waits', async () => {
    answers = [deposit];
    const controller = new AbortController();
    const seen: string[] = [];
    const watched = (async () => {
      for await (const { status } of client.deposits.watch('dep_1', { everyMs: 60_000, signal: controller.signal })) {
        seen.push(status);
        setImmediate(() => controller.abort(new Error('enough')));
      }
    })();
    expect(await watched.catch((error: Error) => error.message)).toBe('enough');
    expect(seen).toEqual(['pending']);
  });
});
