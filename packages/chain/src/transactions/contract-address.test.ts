import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { getContractAddress, type Hex } from 'viem';
import { contractAddress } from './contract-address.ts';

test('the address of a created contract equals the one that viem computes, for every sender and nonce', () => {
  const nonces = fc.oneof(
    fc.constantFrom(0n, 1n, 127n, 128n, 255n, 256n, 2n ** 64n - 2n),
    fc.bigInt(0n, 2n ** 64n - 2n),
  );
  const senders = fc
    .uint8Array({ minLength: 20, maxLength: 20 })
    .map((bytes): Hex => `0x${Buffer.from(bytes).toString('hex')}`);
  fc.assert(
    fc.property(senders, nonces, (from, nonce) => {
      expect(contractAddress(from, nonce)).toBe(getContractAddress({ from, nonce }).toLowerCase());
    }),
  );
});
