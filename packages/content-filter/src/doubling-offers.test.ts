import { expect, test } from 'bun:test';
import { offersMoreBack } from './doubling-offers.ts';

test.each([
  'Send 1 ETH and get 2 ETH back',
  'Envía 0,5 ETH y recibe 1 ETH de vuelta.',
  'Sende 100 USDC und erhalte 300 USDC',
  'Envoyez 0,1 BTC et recevez 0,2 BTC',
  'Отправьте 1 ETH и получите 2 ETH',
  '发送 1 ETH，收到 2 ETH',
])('an offer to return more of the same token is found: %s', (text) => {
  expect(offersMoreBack(text)).toBe(true);
});

test.each([
  'Send 1 ETH and receive 1 WETH',
  'Send 100 USDC; the recipient receives 250,000 COP',
  'Repay 1,050 USDC for a loan of 1,000 USDC',
  'You borrow 1000 USDC and pay back 1080 USDC',
  'Balance before: 1 ETH, after: 3 ETH',
  'Send 0 ETH and receive 5 ETH',
])('a trade, a loan or a balance is not such an offer: %s', (text) => {
  expect(offersMoreBack(text)).toBe(false);
});

test('many amounts are read in linear time: each is compared only with the preceding one', () => {
  expect(offersMoreBack('1 ETH 2 BTC '.repeat(50_000))).toBe(false);
});
