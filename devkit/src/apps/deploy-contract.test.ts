/** The deployment app, driven over its protocol against a real chain. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type Hex, parseGwei } from 'viem';
import { counterAbi, counterBytecode } from '../../../client/examples/counter.ts';
import { served, walk } from '../../test/app-driver.ts';
import { type Chain, startChain } from '../chain.ts';
import { devAccount } from '../dev-token.ts';
import { counterCreationCode } from './counter-creation-code.ts';
import { deployContract } from './deploy-contract.ts';
import { type PreparedTransaction, unsigned } from './prepared-transaction.ts';
import { connectTo } from './sample-app.ts';

let chain: Chain;
const account = devAccount(0);

beforeAll(async () => {
  chain = await startChain();
});
afterAll(() => chain.stop());

function app() {
  return served(deployContract({ rpcUrl: chain.url }));
}

const sign = (transaction: unknown, change = {}): Promise<Hex> =>
  account.signTransaction({ ...unsigned(transaction as PreparedTransaction), ...change });

const wish = { contract: 'counter', firstNumber: 41, from: account.address };

test('the app carries the counter of the examples', () => {
  expect<string>(counterCreationCode).toBe(counterBytecode);
});

test('a counter is prepared, signed by the caller, deployed, and another one after it (contract/sessions#transactions)', async () => {
  const { first, submit, appData } = await walk(app(), 'choose');
  expect(first.step.stepId).toBe('choose');
  const addresses: unknown[] = [];
  for (const firstNumber of [41, 7]) {
    const { step } = await submit('prepare', { ...wish, firstNumber });
    expect(step.transaction).toMatchObject({ type: 'eip1559', chainId: 31337, from: account.address, value: '0' });
    const result = await submit('deploy', { signedTransaction: await sign(step.transaction) });
    const address = result.step.options?.['address'] as Hex;
    const number = await connectTo(chain.url).readContract({ address, abi: counterAbi, functionName: 'number' });
    expect(number).toBe(BigInt(firstNumber));
    expect(result.events).toMatchObject([{ type: 'contract_deployed', data: { address } }]);
    addresses.push(address);
    await submit('another');
  }
  expect(new Set(addresses).size).toBe(2);
  expect(appData()).toMatchObject({ deployments: addresses.map((address) => ({ address })) });
});

test('the same signed transaction submitted twice, under two keys, has one effect on the chain', async () => {
  const handler = app();
  const { submit } = await walk(handler, 'choose');
  const twin = await walk(app(), 'choose');
  const { step } = await submit('prepare', wish);
  const same = await twin.submit('prepare', wish);
  expect(same.step.transaction).toEqual(step.transaction ?? {});
  const signedTransaction = await sign(step.transaction);
  const before = await connectTo(chain.url).getTransactionCount({ address: account.address });
  const [one, other] = await Promise.all([
    submit('deploy', { signedTransaction }),
    twin.submit('deploy', { signedTransaction }),
  ]);
  expect(one.step.options).toEqual(other.step.options ?? {});
  expect(await connectTo(chain.url).getTransactionCount({ address: account.address })).toBe(before + 1);
});

test('a transaction that was not prepared here, or that another account signed, is refused and never sent', async () => {
  const { submit } = await walk(app(), 'choose');
  const { step } = await submit('prepare', wish);
  const prepared = unsigned(step.transaction as PreparedTransaction);
  const before = await connectTo(chain.url).getBlockNumber({ cacheTime: 0 });
  const wrong: unknown[] = [
    ...['0x', '0x02', '0x02zz', 'hello', 42],
    await sign(step.transaction, { value: 1n }),
    await sign(step.transaction, { nonce: Number(prepared.nonce) + 1 }),
    await sign(step.transaction, { maxFeePerGas: parseGwei('500') }),
    await sign(step.transaction, { data: `${prepared.data}00` }),
    await sign(step.transaction, { to: account.address }),
    await devAccount(1).signTransaction(prepared),
  ];
  for (const signedTransaction of wrong) {
    const answer = await submit('deploy', { signedTransaction });
    expect(answer.errors).toMatchObject([{ fieldId: 'signedTransaction' }]);
  }
  expect(await connectTo(chain.url).getBlockNumber({ cacheTime: 0 })).toBe(before);
});

test('a nonce that another transaction used is reported, and the transaction can be prepared again', async () => {
  const { submit } = await walk(app(), 'choose');
  const stale = await submit('prepare', wish);
  const other = await walk(app(), 'choose');
  const quick = await other.submit('prepare', { ...wish, firstNumber: 1 });
  await other.submit('deploy', { signedTransaction: await sign(quick.step.transaction) });
  const refused = await submit('deploy', { signedTransaction: await sign(stale.step.transaction) });
  expect(refused.errors?.[0]?.message).toContain('nonce');
  await submit('change');
  const { step } = await submit('prepare', wish);
  expect((await submit('deploy', { signedTransaction: await sign(step.transaction) })).step.stepId).toBe('result');
});

test('code that the chain rejects is refused before the wallet signs', async () => {
  const { submit } = await walk(app(), 'choose');
  const answer = await submit('prepare', { contract: 'own', creationCode: '0xfe', from: account.address });
  expect(answer.errors?.[0]?.message).toContain('would fail');
  const none = await submit('prepare', { contract: 'own', from: account.address });
  expect(none.errors).toMatchObject([{ fieldId: 'creationCode' }]);
});

test('the session waits at its own step until a block includes the transaction, and a submission under another key sends nothing', async () => {
  const control = async (method: string, ...params: unknown[]) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'Content-Type': 'application/json' };
    return ((await (await fetch(chain.url, { method: 'POST', headers, body })).json()) as { result: unknown }).result;
  };
  const { submit, appData } = await walk(app(), 'choose');
  const twin = await walk(app(), 'choose');
  const { step } = await submit('prepare', wish);
  await twin.submit('prepare', wish);
  const signedTransaction = await sign(step.transaction);
  await control('evm_setAutomine', false);
  const answers = [submit('deploy', { signedTransaction }), twin.submit('deploy', { signedTransaction })];
  for (const answer of await Promise.all(answers)) expect(answer.step.stepId).toBe('pending');
  expect(appData()).toEqual({});
  expect(await control('txpool_status')).toEqual({ pending: '0x1', queued: '0x0' });
  await control('evm_setAutomine', true);
  await control('evm_mine');
  const { step: result } = await submit('check');
  expect(result).toMatchObject({ stepId: 'result', options: { status: 'deployed' } });
  expect((await twin.submit('check')).step).toEqual(result);
});
