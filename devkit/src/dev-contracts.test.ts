/** The contracts of the local chain behave like the widely deployed contracts that they represent. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { type Address, type Hex, hashMessage, keccak256, toHex } from 'viem';
import { parse } from 'yaml';
import { type Chain, startChain } from './chain.ts';
import { devErc20Abi } from './contracts/dev-erc20-code.ts';
import { devStakingAbi } from './contracts/dev-staking-code.ts';
import { devWalletAbi, devWalletFactoryAbi } from './contracts/dev-wallet-code.ts';
import { deployDevContracts, devContracts, devWalletOf, fundStaker } from './dev-contracts.ts';
import { clientsOf, devAccount } from './dev-token.ts';

let chain: Chain;
const alice = devAccount(0);
const token = { address: devContracts.stakedToken, abi: devErc20Abi } as const;
const rewards = { address: devContracts.rewardsToken, abi: devErc20Abi } as const;
const staking = { address: devContracts.staking, abi: devStakingAbi } as const;

beforeAll(async () => {
  chain = await startChain();
  await deployDevContracts({ rpcUrl: chain.url });
});
afterAll(() => chain.stop());

const clients = () => clientsOf(chain.url, 0);
/** A fixed gas limit: an estimate may be too low one second later, when the reward has grown. */
const by = { account: alice, chain: null, gas: 500_000n };
const balance = async (of: Address) =>
  (await clients()).reader.readContract({ ...token, functionName: 'balanceOf', args: [of] });

async function mined(hash: Promise<Hex>): Promise<bigint> {
  const { reader } = await clients();
  const { status, blockNumber } = await reader.waitForTransactionReceipt({ hash: await hash });
  expect(status).toBe('success');
  return blockNumber;
}

async function secondsPass(seconds: number): Promise<void> {
  const { reader } = await clients();
  await reader.request({ method: 'evm_increaseTime' as never, params: [seconds] as never });
  await reader.request({ method: 'evm_mine' as never });
}

test('each contract is deployed once, at the same address on every chain, and users have the staked token', async () => {
  const { reader } = await clients();
  const nonce = () => reader.getTransactionCount({ address: devAccount(9).address });
  const before = await nonce();
  expect(await deployDevContracts({ rpcUrl: chain.url })).toEqual(devContracts);
  expect(await nonce()).toBe(before);
  expect(await balance(devAccount(7).address)).toBe(10_000n * 10n ** 18n);
});

test('the configuration of npm start names the staking contract and its tokens', async () => {
  const config = parse(await Bun.file(join(import.meta.dir, '..', 'flowgate.dev.yaml')).text());
  expect(config.networks[0].staking).toEqual([
    { contractId: 'dev-staking', name: 'Development staking', address: devContracts.staking },
  ]);
  expect(config.networks[0].contracts).toMatchObject([
    { contractId: 'dev-stake-token', role: 'token', address: devContracts.stakedToken },
    { contractId: 'dev-reward-token', role: 'token', address: devContracts.rewardsToken },
  ]);
});

test('a stake earns rewards each second in proportion to its share; withdraw, getReward and exit pay it out', async () => {
  const { reader, writer } = await clients();
  const read = (functionName: 'balanceOf' | 'earned') =>
    reader.readContract({ ...staking, functionName, args: [alice.address] });
  const had = await balance(alice.address);
  await mined(writer.writeContract({ ...token, ...by, functionName: 'approve', args: [staking.address, 100n] }));
  await mined(writer.writeContract({ ...staking, ...by, functionName: 'stake', args: [100n] }));
  await secondsPass(10);
  expect(await read('balanceOf')).toBe(100n);
  const earned = await read('earned');
  expect(earned).toBeGreaterThanOrEqual(10_000_000n);
  await mined(writer.writeContract({ ...staking, ...by, functionName: 'withdraw', args: [40n] }));
  expect(await read('balanceOf')).toBe(60n);
  await mined(writer.writeContract({ ...staking, ...by, functionName: 'getReward' }));
  expect(
    await reader.readContract({ ...rewards, functionName: 'balanceOf', args: [alice.address] }),
  ).toBeGreaterThanOrEqual(earned);
  await mined(writer.writeContract({ ...staking, ...by, functionName: 'exit' }));
  expect(await read('balanceOf')).toBe(0n);
  expect(await balance(alice.address)).toBe(had);
  await expect(reader.simulateContract({ ...staking, account: alice, functionName: 'exit' })).rejects.toThrow(
    'Cannot withdraw 0',
  );
  await expect(
    reader.simulateContract({ ...staking, account: alice, functionName: 'stake', args: [1n] }),
  ).rejects.toThrow('transfer amount exceeds allowance');
});

test('a contract wallet has its address before its deployment, verifies only its owner by EIP-1271, and sends calls', async () => {
  const { reader, writer } = await clients();
  const salt = keccak256(toHex('first'));
  const wallet = await devWalletOf({ rpcUrl: chain.url }, alice.address, salt);
  expect(await reader.getCode({ address: wallet })).toBeUndefined();
  const factory = { address: devContracts.walletFactory, abi: devWalletFactoryAbi } as const;
  for (const _ of ['made', 'already there'])
    await mined(writer.writeContract({ ...factory, ...by, functionName: 'create', args: [alice.address, salt] }));
  const contract = { address: wallet, abi: devWalletAbi } as const;
  const answer = async (signer: typeof alice) => {
    const args = [hashMessage('hello'), await signer.signMessage({ message: 'hello' })] as const;
    return reader.readContract({ ...contract, functionName: 'isValidSignature', args });
  };
  expect(await answer(alice)).toBe('0x1626ba7e');
  expect(await answer(devAccount(1))).toBe('0xffffffff');
  await fundStaker({ rpcUrl: chain.url }, wallet, 5n);
  expect(await balance(wallet)).toBe(5n);
  await expect(
    reader.simulateContract({ ...contract, account: devAccount(1), functionName: 'execute', args: [wallet, 0n, '0x'] }),
  ).rejects.toThrow('only the owner');
});
