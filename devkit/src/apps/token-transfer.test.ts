/** The transfer app, driven over its protocol against a real chain. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Address } from 'viem';
import { served, walk } from '../../test/app-driver.ts';
import { type Chain, startChain } from '../chain.ts';
import { deployDevToken, devAccount, devTokenBalance, fundDevToken } from '../dev-token.ts';
import { type PreparedTransaction, unsigned } from './prepared-transaction.ts';
import { tokenTransfer } from './token-transfer.ts';

let chain: Chain;
let token: Address;
const from = devAccount(0);
const to = devAccount(1).address;

beforeAll(async () => {
  chain = await startChain();
  token = await deployDevToken({ rpcUrl: chain.url });
  await fundDevToken({ rpcUrl: chain.url, token }, from.address, 1_000_000_000n);
});
afterAll(() => chain.stop());

function app() {
  return served(tokenTransfer({ rpcUrl: chain.url, token }));
}

const sign = (transaction: unknown) => from.signTransaction(unsigned(transaction as PreparedTransaction));
const balance = () => devTokenBalance({ rpcUrl: chain.url, token }, to);

test('a transfer is prepared, signed by the caller, sent once, and added to the caller’s history', async () => {
  const { submit, appData } = await walk(app(), 'transfer');
  const before = await balance();
  const { step } = await submit('prepare', { from: from.address, to, amount: '1.25' });
  expect(step.stepId).toBe('sign');
  const signedTransaction = await sign(step.transaction);
  const sent = await submit('send', { signedTransaction });
  expect(sent.step.options).toMatchObject({ amount: '1.25', to, status: 'sent' });
  expect(sent.events).toMatchObject([{ type: 'transfer_sent', data: { amount: '1.25' } }]);
  expect(await balance()).toBe(before + 1_250_000n);
  expect(appData()).toMatchObject({ transfers: [{ amount: '1.25', status: 'sent' }] });
  expect((await submit('finish')).step).toMatchObject({ stepId: 'done', terminal: true });
});

test('an amount above a hundred needs a confirmation', async () => {
  const { submit } = await walk(app(), 'transfer');
  expect((await submit('prepare', { from: from.address, to, amount: '100' })).step.stepId).toBe('sign');
  await submit('change');
  expect((await submit('prepare', { from: from.address, to, amount: '100.000001' })).step.stepId).toBe('confirm');
  expect((await submit('confirm', { understood: false })).errors).toMatchObject([{ fieldId: 'understood' }]);
  const { step } = await submit('confirm', { understood: true });
  expect(step).toMatchObject({ stepId: 'sign', transaction: { to: token } });
});

test('an amount above the balance, of zero or with too many decimal places is refused at its field', async () => {
  const { submit } = await walk(app(), 'transfer');
  for (const amount of ['1000000', '0', '0.0000001', '-1', '1e3', '']) {
    const answer = await submit('prepare', { from: from.address, to, amount });
    expect(answer.errors).toMatchObject([{ fieldId: 'amount' }]);
  }
  const poor = await submit('prepare', { from: devAccount(5).address, to, amount: '1' });
  expect(poor.errors).toEqual([{ fieldId: 'amount', message: 'The balance is 0.' }]);
});

test('the second start step shows a balance and leads to a transfer', async () => {
  const { first, submit } = await walk(app(), 'check-balance');
  expect(first.step.stepId).toBe('check-balance');
  const reported = await submit('check', { account: from.address });
  const units = await devTokenBalance({ rpcUrl: chain.url, token }, from.address);
  expect(reported.step.options).toEqual({ account: from.address, balance: String(Number(units) / 1e6) });
  expect((await submit('transfer')).step.stepId).toBe('transfer');
});
