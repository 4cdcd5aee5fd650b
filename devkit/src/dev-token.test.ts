/** The development dollar behaves like the tokens that x402 is paid in. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type Address, type Hex, parseSignature } from 'viem';
import { compileContract, writeCompiled } from '../test/compile-contract.ts';
import { type Chain, startChain } from './chain.ts';
import { devTokenAbi, devTokenBytecode } from './contracts/dev-token-code.ts';
import {
  clientsOf,
  deployDevToken,
  devAccount,
  devTokenAuthorizationUsed,
  devTokenBalance,
  devTokenDomain,
  fundDevToken,
} from './dev-token.ts';

let chain: Chain;
let token: Address;
const payer = devAccount(0);
const payee = devAccount(1).address;

beforeAll(async () => {
  chain = await startChain();
  token = await deployDevToken({ rpcUrl: chain.url });
  await fundDevToken({ rpcUrl: chain.url, token }, payer.address, 1_000_000n);
});
afterAll(() => chain.stop());

const place = () => ({ rpcUrl: chain.url, token });

const uint = (name: string) => ({ name, type: 'uint256' });
const terms = [{ name: 'from', type: 'address' }, { name: 'to', type: 'address' }, uint('value'), uint('validAfter')];
const types = { TransferWithAuthorization: [...terms, uint('validBefore'), { name: 'nonce', type: 'bytes32' }] };

type Change = { readonly value?: bigint; readonly validAfter?: bigint; readonly validBefore?: bigint };

async function signed(nonceDigit: string, change: Change = {}) {
  const nonce: Hex = `0x${nonceDigit.repeat(64)}`;
  const valid = { from: payer.address, to: payee, value: 100n, validAfter: 0n, validBefore: 10n ** 12n, nonce };
  const message = { ...valid, ...change };
  const domain = { ...devTokenDomain, chainId: chain.chainId, verifyingContract: token };
  const signature = await payer.signTypedData({ domain, types, primaryType: 'TransferWithAuthorization', message });
  const { from, to, value, validAfter, validBefore } = message;
  return { nonce, signature, args: [from, to, value, validAfter, validBefore, nonce] as const };
}

type Signed = Awaited<ReturnType<typeof signed>>;

/** Another account than the payer sends the transaction, as EIP-3009 allows. */
async function sendWhole({ args, signature }: Signed): Promise<void> {
  const { reader, writer } = await clientsOf(chain.url, 8);
  const call = { address: token, abi: devTokenAbi, functionName: 'transferWithAuthorization' } as const;
  const by = { account: devAccount(8), chain: writer.chain };
  await reader.waitForTransactionReceipt({
    hash: await writer.writeContract({ ...call, ...by, args: [...args, signature] }),
  });
}

async function sendParts({ args, signature }: Signed): Promise<void> {
  const { reader, writer } = await clientsOf(chain.url, 8);
  const { r, s, yParity } = parseSignature(signature);
  const call = { address: token, abi: devTokenAbi, functionName: 'transferWithAuthorization' } as const;
  const by = { account: devAccount(8), chain: writer.chain };
  await reader.waitForTransactionReceipt({
    hash: await writer.writeContract({ ...call, ...by, args: [...args, 27 + yParity, r, s] }),
  });
}

test('the compiled contract in the repository matches its source', async () => {
  const compiled = await compileContract('dev-token.sol', 'DevToken');
  if (process.env['UPDATE_CONTRACTS'] === '1') writeCompiled('dev-token.sol', { devToken: compiled });
  expect<string>(devTokenBytecode).toBe(compiled.bytecode);
  expect<unknown>(devTokenAbi).toEqual(compiled.abi);
});

test('a signed authorization moves the money once, for any sender and either signature form (EIP-3009)', async () => {
  const before = await devTokenBalance(place(), payee);
  const first = await signed('1');
  const second = await signed('2');
  expect(await devTokenAuthorizationUsed(place(), payer.address, first.nonce)).toBe(false);
  await sendParts(first);
  await sendWhole(second);
  expect(await devTokenBalance(place(), payee)).toBe(before + 200n);
  expect(await devTokenAuthorizationUsed(place(), payer.address, first.nonce)).toBe(true);
  await expect(sendParts(first)).rejects.toThrow('authorization is used or canceled');
  await expect(sendWhole(second)).rejects.toThrow('authorization is used or canceled');
  expect(await devTokenBalance(place(), payee)).toBe(before + 200n);
});

test('an authorization that is altered, early, expired or not covered moves nothing (EIP-3009)', async () => {
  const before = await devTokenBalance(place(), payee);
  const good = await signed('3');
  const [from, to, , ...rest] = good.args;
  await expect(sendWhole({ ...good, args: [from, to, 101n, ...rest] })).rejects.toThrow('invalid signature');
  await expect(sendWhole(await signed('4', { validAfter: 10n ** 11n }))).rejects.toThrow('not yet valid');
  await expect(sendWhole(await signed('5', { validBefore: 1n }))).rejects.toThrow('expired');
  await expect(sendWhole(await signed('6', { value: 10n ** 18n }))).rejects.toThrow('exceeds balance');
  expect(await devTokenBalance(place(), payee)).toBe(before);
});

test('clients sign with the domain that the contract checks (EIP-712)', async () => {
  const { reader } = await clientsOf(chain.url, 8);
  const call = { address: token, abi: devTokenAbi } as const;
  expect<string>(await reader.readContract({ ...call, functionName: 'name' })).toBe(devTokenDomain.name);
  expect<string>(await reader.readContract({ ...call, functionName: 'version' })).toBe(devTokenDomain.version);
});
