import { expect, test } from 'bun:test';
import { bitcoin } from '@flowgate/chain/families/bitcoin';
import { evm } from '@flowgate/chain/families/evm';
import { solana } from '@flowgate/chain/families/solana';
import { readHead } from './chain-proof.ts';

test('a head that is negative, too large or no number is refused in each family', () => {
  const read = (family: typeof evm, result: unknown) => readHead(family, 200, JSON.stringify({ id: 0, result }));
  expect([read(evm, '0x10'), read(solana, 16), read(bitcoin, 16)]).toEqual([16, 16, 16]);
  const numbers = [-1, -(2 ** 52), 2 ** 53, 0.5, 1e300, null, '16', true, [16]];
  const texts = ['-0x1', '0x', `0x${'f'.repeat(14)}`, '0x-1', '0x1.0', ' 0x1', 1, null, ['0x1']];
  for (const family of [solana, bitcoin])
    expect(numbers.map((each) => read(family, each))).toEqual(numbers.map(() => undefined));
  expect(texts.map((each) => read(evm, each))).toEqual(texts.map(() => undefined));
});
