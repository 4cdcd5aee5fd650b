/** The terminal shows exactly the prepared transaction that is signed. */

import { expect, test } from 'bun:test';
import { privateKeyToAccount } from 'viem/accounts';
import { reportedTransaction, signPrepared } from './sign-prepared.ts';

const account = privateKeyToAccount(`0x${'11'.repeat(32)}`);
const transfer = `0xa9059cbb${'ab'.repeat(20).padStart(64, '0')}${'7'.padStart(64, '0')}`;
const prepared = {
  ...{ chainId: 1, from: account.address, to: `0x${'22'.repeat(20)}`, nonce: 0, gas: 100_000, data: transfer },
  ...{ maxFeePerGas: '1', maxPriorityFeePerGas: '1' },
};

test('a transaction with a gasPrice in addition to the shown fee is not signed', async () => {
  const both = { ...prepared, gasPrice: '1000000000000000000' };
  expect(() => reportedTransaction(both)).toThrow('gasPrice together');
  await expect(signPrepared(account, both)).rejects.toThrow('gasPrice together');
  expect(await signPrepared(account, prepared)).toStartWith('0x02');
});

test('the recipient of a token transfer is shown, and long data is truncated', () => {
  expect(reportedTransaction(prepared).at(-1)).toBe(`data    68 bytes, ${transfer}`);
  const long = reportedTransaction({ ...prepared, data: `0x${'00'.repeat(100_000)}` }).at(-1) ?? '';
  expect(long).toContain('100000 bytes');
  expect(long.length).toBeLessThan(2_000);
});
