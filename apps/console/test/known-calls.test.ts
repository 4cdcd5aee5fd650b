/** Decoded transactions before they are signed. */
import { expect, test } from 'bun:test';
import { type Abi, encodeFunctionData, maxUint256, parseAbi } from 'viem';
import { roundedUp } from '../src/format/amount.ts';
import { knownCall } from '../src/wallet/known-calls.ts';

const token = '0x5fbdb2315678afecb367f032d93f642f64180aa3';
const other = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const data = (signature: string, args: readonly unknown[]) =>
  encodeFunctionData({ abi: parseAbi([`function ${signature}`] as readonly string[]) as Abi, args });

test('known functions are read with their addresses and amounts', () => {
  expect(knownCall(token, data('transfer(address,uint256)', [other, 1_250_000n]))).toEqual({
    title: 'Transfer tokens',
    facts: [
      { name: 'Recipient', kind: 'address', address: other },
      { name: 'Amount', kind: 'tokens', amount: 1_250_000n, token },
    ],
  });
  expect(knownCall(token, data('approve(address,uint256)', [other, maxUint256]))?.facts[1]).toMatchObject({
    ...{ name: 'Up to', amount: maxUint256 },
  });
  const bridge = 'bridgeERC20To(address,address,address,uint256,uint32,bytes)';
  expect(knownCall(other, data(bridge, [token, other, other, 7n, 0, '0x']))?.facts).toEqual([
    { name: 'Recipient', kind: 'address', address: other },
    { name: 'Amount', kind: 'tokens', amount: 7n, token },
  ]);
  expect(knownCall(other, data('exit()', []))?.title).toBe('Withdraw everything and claim rewards');
});

test('data that is unknown, cut off or not of its types is not read', () => {
  const whole = data('transfer(address,uint256)', [other, 1n]);
  for (const each of [
    '0x',
    '0x12345678',
    'constructor',
    whole.slice(0, -2),
    whole.replace(/0{24}/, `1${'0'.repeat(23)}`),
  ])
    expect(knownCall(token, each)).toBeUndefined();
  expect(knownCall(undefined, whole)).toBeUndefined();
});

test('an upper bound is rounded up to four digits, and never to fewer than its whole units', () => {
  expect(roundedUp(123_456_789_000_000n, 18)).toBe('0.0001235');
  expect(roundedUp(1_000n, 18)).toBe('0.000000000000001');
  expect(roundedUp(123_456_700_000_000_000_000_001n, 18)).toBe('123,457');
  expect(roundedUp(0n, 18)).toBe('0');
});
