/** Encodes calls of staking contracts. It imports viem and is therefore loaded on demand (docs/decisions/0082). */

import { encodeFunctionData } from 'viem/utils';

const amount = { name: 'amount', type: 'uint256' } as const;
const account = { name: 'account', type: 'address' } as const;
const view = { type: 'function', stateMutability: 'view', outputs: [] } as const;
const act = { type: 'function', stateMutability: 'nonpayable', outputs: [] } as const;

const abi = [
  { ...view, name: 'balanceOf', inputs: [account] },
  { ...view, name: 'earned', inputs: [account] },
  { ...view, name: 'stakingToken', inputs: [] },
  { ...view, name: 'rewardsToken', inputs: [] },
  { ...act, name: 'stake', inputs: [amount] },
  { ...act, name: 'withdraw', inputs: [amount] },
  { ...act, name: 'getReward', inputs: [] },
  { ...act, name: 'exit', inputs: [] },
] as const;

/** Addresses are `0x` and 40 hexadecimal digits in lower case. */
export const stakingCalls = {
  balanceOf: (address: string) =>
    encodeFunctionData({ abi, functionName: 'balanceOf', args: [`0x${address.slice(2)}`] }),
  earned: (address: string) => encodeFunctionData({ abi, functionName: 'earned', args: [`0x${address.slice(2)}`] }),
  stakingToken: () => encodeFunctionData({ abi, functionName: 'stakingToken' }),
  rewardsToken: () => encodeFunctionData({ abi, functionName: 'rewardsToken' }),
  stake: (units: bigint) => encodeFunctionData({ abi, functionName: 'stake', args: [units] }),
  withdraw: (units: bigint) => encodeFunctionData({ abi, functionName: 'withdraw', args: [units] }),
  getReward: () => encodeFunctionData({ abi, functionName: 'getReward' }),
  exit: () => encodeFunctionData({ abi, functionName: 'exit' }),
} as const;
