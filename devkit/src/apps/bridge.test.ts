/** Deposits with the bridge app, over its protocol on a real rollup, and its refusals. Over 250 lines, because all tests share one rollup. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import type { JsonMembers } from '@flowgate/client/flow-wire';
import { type Address, erc20Abi, type Hex, parseEther, parseUnits } from 'viem';
import {
  bridgeSessions,
  hashesOf,
  isStep,
  purposesOf,
  sign,
  statusOf,
  transactionOf,
} from '../../test/bridge-sessions.ts';
import { rollupClients, rollupControl } from '../../test/rollup-clients.ts';
import { devAccount } from '../dev-token.ts';
import { type LocalRollup, startLocalRollup } from '../rollup/local-rollup.ts';
import { unsigned } from './prepared-transaction.ts';

let rollup: LocalRollup;
let control: ReturnType<typeof rollupControl>;
let clients: ReturnType<typeof rollupClients>;
let session: ReturnType<typeof bridgeSessions>;

beforeAll(async () => {
  rollup = await startLocalRollup({ isAutomatic: false });
  control = rollupControl(rollup.bridge.controlUrl);
  clients = rollupClients(rollup.bridge);
  session = bridgeSessions(rollup.bridge);
});
// Also after a failed test that had paused it.
beforeEach(() => control('/resume'));
afterAll(async () => {
  await rollup?.stop();
});

/** The wallet sends the transaction itself. */
async function mined(serializedTransaction: Hex): Promise<Hex> {
  const hash = await clients.onL1.sendRawTransaction({ serializedTransaction });
  await clients.onL1.waitForTransactionReceipt({ hash });
  return hash;
}

/** Reorganizes L1 so that it no longer contains the transaction. */
async function lose(hash: Hex = '0x'): Promise<void> {
  const { blockNumber } = await clients.onL1.getTransactionReceipt({ hash });
  expect((await control('/reorg', { chain: 'l1', from: Number(blockNumber) })).status).toBe(200);
}

const tokensOf = (address: Address) =>
  clients.onL2.readContract({
    ...{ address: rollup.bridge.contracts.l2Token, abi: erc20Abi, functionName: 'balanceOf', args: [address] },
  });

test('a deposit of ether reports what it waits for and ends with the transactions’ hashes', async () => {
  const account = devAccount(0);
  const to: Address = '0x00000000000000000000000000000000000A11CE';
  const { first, prepare, send, submit, untilShown, appData } = await session(account);
  expect(first.step.fields.map(({ fieldId }) => fieldId)).toEqual([
    'direction',
    'asset',
    'amount',
    'wallet',
    'recipient',
  ]);
  const prepared = await prepare({ amount: '1.5', recipient: to });
  expect(transactionOf(prepared)).toMatchObject({
    chainId: 900,
    from: account.address,
    value: String(parseEther('1.5')),
  });
  await control('/pause');
  const waiting = await send(prepared);
  expect(waiting.step).toMatchObject({ stepId: 'waiting', title: 'Deposit: pending' });
  expect(waiting.step.description).toContain('1 of 3 confirmations');
  expect(waiting.events).toMatchObject([{ type: 'transfer_status', data: { status: 'pending' } }]);
  await clients.onL1.request({ method: 'anvil_mine' as never, params: ['0x2'] as never });
  const confirmed = await submit('look');
  expect([statusOf(confirmed), confirmed.step.options?.['confirmations']]).toEqual(['confirmed', 3]);
  await control('/resume');
  const { step, status } = await untilShown(isStep('completed'));
  expect({ ...step, status }).toMatchObject({ terminal: true, title: 'The deposit has arrived', status: undefined });
  expect(step.options).toMatchObject({
    ...{ status: 'completed', l2TransactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
    transactions: [{ purpose: 'start', chain: 'l1', hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) }],
  });
  expect(await clients.onL2.getBalance({ address: to })).toBe(parseEther('1.5'));
  expect(appData()).toMatchObject({ transfers: [{ direction: 'deposit', amount: '1.5', status: 'completed' }] });
});

test('a deposit of the token: an approval of just that amount first, then the deposit', async () => {
  const account = devAccount(1);
  const { prepare, send, untilShown } = await session(account);
  const approval = await prepare({ asset: 'token', amount: '12.5' });
  expect(approval.step).toMatchObject({ stepId: 'sign', title: 'Sign the approval', options: { purpose: 'approve' } });
  const deposit = await send(approval);
  expect(deposit.step).toMatchObject({ stepId: 'sign', title: 'Sign the transfer', options: { purpose: 'start' } });
  await send(deposit);
  const done = await untilShown(isStep('completed'));
  expect(purposesOf(done)).toEqual(['approve', 'start']);
  expect(await tokensOf(account.address)).toBe(parseUnits('12.5', 18));
});

test('an amount that the recipient refuses is not lost, and is relayed again when the recipient accepts it', async () => {
  const account = devAccount(3);
  const recipient: Address = '0x00000000000000000000000000000000000b0B00';
  const code = (bytes: string) =>
    clients.onL2.request({ method: 'anvil_setCode' as never, params: [recipient, bytes] as never });
  await code('0x5f5ffd');
  const { prepare, send, submit, untilShown } = await session(account);
  await send(await prepare({ amount: '0.125', recipient }));
  const refused = await untilShown((answer) => statusOf(answer) === 'relay_failed');
  expect([refused.step.stepId, refused.step.description]).toEqual([
    'waiting',
    expect.stringContaining('Nothing is lost'),
  ]);
  await code('0x00');
  const replay = await submit('look');
  expect(transactionOf(replay)).toMatchObject({ chainId: 901, from: account.address, value: '0' });
  const done = await send(replay);
  expect([done.step.stepId, purposesOf(done)]).toEqual(['completed', ['start', 'replay']]);
  expect(await clients.onL2.getBalance({ address: recipient })).toBe(parseEther('0.125'));
});

test('all problems are reported at once, each at its field', async () => {
  const account = devAccount(4);
  const { prepare } = await session(account);
  const fields = async (wish: JsonMembers) => (await prepare(wish)).errors?.map(({ fieldId }) => fieldId);
  for (const amount of ['0', '0.0', '1e3', '-1', '', '0.0000000000000000001', '1.2.3', '٣'])
    expect(await fields({ amount })).toEqual(['amount']);
  expect(await fields({ amount: 'x', wallet: '0x1', recipient: 'y' })).toEqual(['amount', 'wallet', 'recipient']);
  expect(await fields({ wallet: rollup.bridge.contracts.l1Token })).toEqual(['wallet']);
  for (const recipient of [
    '0x0000000000000000000000000000000000000000',
    rollup.bridge.contracts.portal,
    '0x4200000000000000000000000000000000000010',
  ])
    expect(await fields({ recipient })).toEqual(['recipient']);
  expect((await prepare({ asset: 'token', amount: '100000.000000000000000001' })).errors).toEqual([
    { fieldId: 'amount', message: 'The balance is 100000.' },
  ]);
  // Transferring the whole balance leaves nothing for the fee.
  const all = await clients.onL1.getBalance({ address: account.address });
  const amount = `${all / parseEther('1')}.${String(all % parseEther('1')).padStart(18, '0')}`;
  expect((await prepare({ amount })).errors).toMatchObject([
    { fieldId: 'amount', message: expect.stringContaining('with the fee') },
  ]);
  const poor = '0x00000000000000000000000000000000DeaDBeef';
  expect((await prepare({ direction: 'withdrawal', wallet: poor })).errors).toEqual([
    { fieldId: 'amount', message: 'The balance is 0.' },
  ]);
});

test('a transaction that was not prepared, or has another signer, is refused and not sent', async () => {
  const account = devAccount(4);
  const { prepare, submit } = await session(account);
  const count = () => clients.onL1.getTransactionCount({ address: account.address });
  const before = await count();
  const answer = await prepare({});
  const other = await account.signTransaction({ ...unsigned(transactionOf(answer)), value: 7n });
  for (const signedTransaction of [other, await sign(devAccount(5), answer), '0x02', 'x'])
    expect((await submit('send', { signedTransaction })).errors).toMatchObject([{ fieldId: 'signedTransaction' }]);
  expect(await count()).toBe(before);
});

test('the amount moves once when a submission is repeated, comes from two sessions, or follows the wallet’s own sending', async () => {
  const account = devAccount(4);
  const before = await clients.onL1.getTransactionCount({ address: account.address });
  const count = async () => (await clients.onL1.getTransactionCount({ address: account.address })) - before;
  const one = await session(account);
  const twin = await session(account);
  const prepared = await one.prepare({ amount: '3' });
  // No block with another fee was mined in between.
  expect(transactionOf(await twin.prepare({ amount: '3' }))).toEqual(transactionOf(prepared));
  const answers = await Promise.all([one.send(prepared), twin.send(prepared)]);
  expect(new Set(answers.map((answer) => hashesOf(answer)[0])).size).toBe(1);
  expect(await count()).toBe(1);

  // The answer to "send" was lost: the user checks again, under a new key.
  const lost = await session(account);
  const wanted = await lost.prepare({ amount: '4' });
  await mined(await sign(account, wanted));
  const found = await lost.submit('change');
  expect([found.step.stepId === 'choose', await count()]).toEqual([false, 2]);

  // The wallet chose its own fees.
  const own = await session(account);
  const shown = await own.prepare({ amount: '5' });
  const sped = await account.signTransaction({ ...unsigned(transactionOf(shown)), gas: 2_000_000n });
  const hash = await mined(sped);
  expect(hashesOf(await own.submit('again'))).toEqual([hash]);

  // The wallet replaced the app's transaction by the same one with a higher fee.
  await lose(hash);
  await mined(await account.signTransaction({ ...unsigned(transactionOf(shown)), gas: 2_100_000n }));
  const replaced = await own.submit('look');
  expect([replaced.step.stepId === 'failed', hashesOf(replaced)[0] === hash]).toEqual([false, false]);

  // Another transaction used the nonce: a new one is prepared.
  const late = await session(account);
  const stale = await late.prepare({ amount: '6' });
  const { nonce } = transactionOf(stale);
  await mined(
    await account.signTransaction({
      ...unsigned(transactionOf(stale)),
      to: account.address,
      data: '0x',
      value: 0n,
    }),
  );
  expect((await late.send(stale)).errors).toMatchObject([{ message: expect.stringContaining('refused') }]);
  expect(transactionOf(await late.submit('again'))).toMatchObject({ nonce: nonce + 1, value: String(parseEther('6')) });
  expect(await count()).toBe(4);
});

test('a deposit that L1 lost is sent again unchanged, and has failed if its nonce was used meanwhile', async () => {
  const account = devAccount(5);
  await control('/pause');
  const { prepare, send, submit, untilShown } = await session(account);
  const sent = await send(await prepare({ amount: '0.5' }));
  await lose(hashesOf(sent)[0]);
  const again = await submit('look');
  expect([statusOf(again), hashesOf(again)]).toEqual(['pending', hashesOf(sent)]);
  await control('/resume');
  await untilShown(isStep('completed'));

  await control('/pause');
  const other = await session(account);
  const doomed = await other.send(await other.prepare({ amount: '0.5' }));
  await lose(hashesOf(doomed)[0]);
  const nonce = await clients.onL1.getTransactionCount({ address: account.address });
  const replacing = {
    chainId: 900,
    nonce,
    to: account.address,
    gas: 21_000n,
    maxFeePerGas: parseUnits('9', 9),
    type: 'eip1559',
  } as const;
  await mined(await account.signTransaction(replacing));
  const failed = await other.submit('look');
  expect(failed).toMatchObject({
    status: 'failed',
    step: { stepId: 'failed', terminal: true, options: { status: 'failed', failureReason: 'reorganised' } },
  });
  expect(hashesOf(failed)).toEqual(hashesOf(doomed));
});
