import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { keccak256 as viemKeccak256 } from 'viem';
import { keccak256 } from './keccak256.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

test('the published digests come out (Ethereum yellow paper, appendix B; KECCAK team, known answers)', () => {
  expect(hex(keccak256(new Uint8Array()))).toBe('c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470');
  expect(hex(keccak256(Buffer.from('abc')))).toBe('4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45');
  expect(hex(keccak256(Buffer.from('transfer(address,uint256)'))).slice(0, 8)).toBe('a9059cbb');
});

test('it is what an independent implementation says, around every block border and for any bytes', () => {
  for (const size of [1, 134, 135, 136, 137, 271, 272, 273, 1000]) {
    const message = new Uint8Array(size).fill(size % 256);
    expect(`0x${hex(keccak256(message))}`).toBe(viemKeccak256(message));
  }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 600 }), (message) => {
      expect(`0x${hex(keccak256(message))}`).toBe(viemKeccak256(message));
    }),
  );
});
