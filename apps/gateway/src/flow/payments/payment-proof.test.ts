/** What the chain reports about an authorization: on a real chain, and with forged logs for what no honest token would emit. */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { devTokenAbi } from '@flowgate/devkit/contracts/dev-token-code';
import { clientsOf, devAccount, devTokenDomain } from '@flowgate/devkit/dev-token';
import { parseSignature } from 'viem';
import { freshPayee, type PaidChain, paidChainId, price, startPaidChain } from '../../../test/fixtures/paid-chain.ts';
import type { LedgerAccess } from './ledger-access.ts';
import { type AskChain, blockBeforeNow, createAskChain } from './payment-proof.ts';

type Asked = Parameters<AskChain>[0];

const payer = devAccount(0);
const network = `eip155:${paidChainId}`;
let paidChain: PaidChain;
let ledger: LedgerAccess;
let nonces = 0;

// Every test moves money on a chain, some a dozen times.
beforeAll(async () => {
  paidChain = await startPaidChain();
  ledger = (name) => (name === network ? (method, params) => paidChain.rpc(method, ...params) : undefined);
});
afterAll(() => paidChain.stop());

const uint = (name: string) => ({ name, type: 'uint256' });
const address = (name: string) => ({ name, type: 'address' });
const once = { name: 'nonce', type: 'bytes32' };
const types = {
  TransferWithAuthorization: [
    address('from'),
    address('to'),
    uint('value'),
    uint('validAfter'),
    uint('validBefore'),
    once,
  ],
  CancelAuthorization: [address('authorizer'), once],
};

async function payment(more: Partial<Asked['terms']> = {}): Promise<Asked> {
  nonces += 1;
  const nonce = `0x${nonces.toString(16).padStart(64, '0')}`;
  const { timestamp } = (await paidChain.rpc('eth_getBlockByNumber', 'latest', false)) as { timestamp: string };
  const validBefore = String(Number(timestamp) + 3_600);
  const requirement = { scheme: 'exact', network, asset: paidChain.token, amount: String(price), payTo: freshPayee() };
  const step = { sessionId: 'ses_1', stateVersion: 1, stepId: 'pay', paymentId: nonce };
  const terms = { payer: payer.address.toLowerCase(), nonce, validBefore, ...more };
  return { ...step, requirement, terms, createdAtMs: 0, updatedAtMs: 0 };
}

const domain = () => ({ ...devTokenDomain, chainId: paidChainId, verifyingContract: paidChain.token });

/** Executes the authorization for the requested payee and amount, or for others. */
async function execute({ requirement, terms }: Asked, change: { to?: string; value?: bigint } = {}): Promise<string> {
  const [to, value] = [(change.to ?? requirement.payTo) as `0x${string}`, change.value ?? BigInt(requirement.amount)];
  const [nonce, validBefore] = [terms?.nonce as `0x${string}`, BigInt(terms?.validBefore ?? 0)];
  const message = { from: payer.address, to, value, validAfter: 0n, validBefore, nonce };
  const signature = await payer.signTypedData({
    domain: domain(),
    types,
    primaryType: 'TransferWithAuthorization',
    message,
  });
  const { reader, writer } = await clientsOf(paidChain.chain.url, 7);
  const call = { address: paidChain.token, abi: devTokenAbi, functionName: 'transferWithAuthorization' } as const;
  const args = [payer.address, to, value, 0n, validBefore, nonce, signature] as const;
  const hash = await writer.writeContract({ ...call, args, account: devAccount(7), chain: writer.chain });
  await reader.waitForTransactionReceipt({ hash });
  return hash;
}

async function cancel({ terms }: Asked): Promise<void> {
  const message = { authorizer: payer.address, nonce: terms?.nonce as `0x${string}` };
  const signature = await payer.signTypedData({ domain: domain(), types, primaryType: 'CancelAuthorization', message });
  const { r, s, yParity } = parseSignature(signature);
  const { reader, writer } = await clientsOf(paidChain.chain.url, 7);
  const call = { address: paidChain.token, abi: devTokenAbi, functionName: 'cancelAuthorization' } as const;
  const args = [message.authorizer, message.nonce, 27 + yParity, r, s] as const;
  await reader.waitForTransactionReceipt({
    hash: await writer.writeContract({ ...call, args, account: devAccount(7), chain: writer.chain }),
  });
}

const kindOf = async (asked: Asked, by = ledger) => (await createAskChain(by)(asked)).kind;

test('an executed authorization is found with its transaction, regardless of the account that executed it', async () => {
  const asked = await payment();
  expect(await kindOf(asked)).toBe('unused');
  const transaction = await execute(asked);
  expect(await createAskChain(ledger)(asked)).toEqual({ kind: 'executed', transaction });
  const fromBlock = await blockBeforeNow(ledger, network);
  expect(await createAskChain(ledger)({ ...asked, fromBlock: fromBlock ?? -1 })).toMatchObject({ kind: 'executed' });
});

test('a nonce that was used for another amount or payee, or canceled, is no proof', async () => {
  const [less, elsewhere, cancelled] = [await payment(), await payment(), await payment()];
  await execute(less, { value: 1n });
  await execute(elsewhere, { to: freshPayee() });
  await cancel(cancelled);
  for (const asked of [less, elsewhere, cancelled]) expect(await kindOf(asked)).toBe('used');
});

test('logs of another payer, nonce, token or network prove nothing about this payment', async () => {
  const asked = await payment();
  await execute(asked);
  const { requirement, terms } = asked;
  if (terms === undefined) throw new Error('without terms');
  expect(await kindOf({ ...asked, terms: { ...terms, payer: freshPayee() } })).toBe('unused');
  expect(await kindOf({ ...asked, terms: { ...terms, nonce: `0x${'ab'.repeat(32)}` } })).toBe('unused');
  expect(await kindOf({ ...asked, requirement: { ...requirement, asset: freshPayee() } })).toBe('unknown');
  expect(await kindOf({ ...asked, requirement: { ...requirement, network: 'eip155:1' } })).toBe('unknown');
  const { terms: _, ...withoutTerms } = asked;
  expect(await kindOf(withoutTerms)).toBe('unknown');
});

test('a chain that does not answer, or answers partially, proves nothing', async () => {
  const asked = await payment();
  await execute(asked);
  for (const silent of ['eth_getBlockByNumber', 'eth_call', 'eth_getLogs', 'eth_getTransactionReceipt']) {
    const deaf: LedgerAccess = () => (method, params) =>
      method === silent ? Promise.resolve(undefined) : paidChain.rpc(method, ...params);
    const late = silent === 'eth_getLogs' || silent === 'eth_getTransactionReceipt';
    expect(await kindOf(asked, deaf)).toBe(late ? 'used' : 'unknown');
  }
  expect(await blockBeforeNow(() => async () => undefined, network)).toBeUndefined();
  expect(await blockBeforeNow(() => undefined, network)).toBeUndefined();
});

type Log = { readonly topics: readonly string[]; readonly data: string };

/** Access to the chain that changes the logs of every receipt. */
function withLogs(change: (logs: readonly Log[]) => readonly Log[]): LedgerAccess {
  return () => async (method, params) => {
    const answer = await paidChain.rpc(method, ...params);
    if (method !== 'eth_getTransactionReceipt') return answer;
    const receipt = answer as { readonly logs: readonly Log[] };
    return { ...receipt, logs: change(receipt.logs) };
  };
}

test('a transfer of another authorization in the same transaction is no proof', async () => {
  const asked = await payment();
  await execute(asked, { value: 1n });
  // The payer sent it in one transaction with another authorization, which pays the requested amount for another payer's step.
  const others = ([used, transfer]: readonly Log[]): Log[] => {
    if (used === undefined || transfer === undefined) throw new Error('not the logs of an authorization');
    const topics = [...used.topics.slice(0, 2), `0x${'cd'.repeat(32)}`];
    return [
      { ...used, topics },
      { ...transfer, data: `0x${price.toString(16).padStart(64, '0')}` },
    ];
  };
  const orders = [
    (logs: readonly Log[]) => [...logs, ...others(logs)],
    (logs: readonly Log[]) => [...others(logs), ...logs],
  ];
  for (const order of orders) expect(await kindOf(asked, withLogs(order))).toBe('used');
  // The same transfer directly after our own log proves the payment, so the position decides.
  const own = (logs: readonly Log[]) => [...logs.slice(0, 1), ...others(logs).slice(1)];
  expect(await kindOf(asked, withLogs(own))).toBe('executed');
});

test('an expired or canceled authorization that is unused is impossible from one minute after its end', async () => {
  const [unused, cancelled] = [await payment(), await payment()];
  await cancel(cancelled);
  await paidChain.rpc('evm_increaseTime', 3_630);
  await paidChain.rpc('evm_mine');
  expect(await kindOf(unused)).toBe('unused');
  expect(await kindOf(cancelled)).toBe('used');
  await paidChain.rpc('evm_increaseTime', 60);
  await paidChain.rpc('evm_mine');
  expect(await kindOf(unused)).toBe('impossible');
  expect(await kindOf(cancelled)).toBe('impossible');
});
