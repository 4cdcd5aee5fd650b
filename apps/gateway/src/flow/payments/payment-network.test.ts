import { expect, test } from 'bun:test';
import { EVM_NETWORK_CHAIN_ID_MAP } from '@x402/evm/v1';
import { caip2Of } from './payment-network.ts';

test('every network name of the first protocol version has its chain id (the official EVM package)', () => {
  const names = Object.entries(EVM_NETWORK_CHAIN_ID_MAP);
  expect(names.length).toBeGreaterThan(15);
  expect(names.map(([name]) => caip2Of(name))).toEqual(names.map(([, chainId]) => `eip155:${chainId}`));
});

test('a CAIP-2 identifier and an unknown name are returned unchanged', () => {
  for (const network of ['eip155:31337', 'solana:5eykt4', 'toString', 'nowhere'])
    expect(caip2Of(network)).toBe(network);
});
