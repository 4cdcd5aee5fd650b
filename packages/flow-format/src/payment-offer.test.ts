import { expect, test } from 'bun:test';
import { isPaymentOffer, requirementsOf } from './payment-offer.ts';

const second = {
  ...{ scheme: 'exact', network: 'eip155:8453', asset: '0xA0b8', amount: '10000', payTo: '0xC0ffee' },
  ...{ maxTimeoutSeconds: 60, extra: { name: 'USDC', version: '2' } },
};
const { amount, ...rest } = second;
const first = { ...rest, network: 'base', maxAmountRequired: amount, resource: 'https://a', description: '' };

test('requirements of both protocol versions are valid offers (x402, PaymentRequirements)', () => {
  expect(requirementsOf({ accepts: [second, first] })).toMatchObject([
    { version: 2, network: 'eip155:8453', amount: '10000', text: second },
    { version: 1, network: 'base', amount: '10000', text: first },
  ]);
  expect(isPaymentOffer({ accepts: [{ ...second, extra: null, description: 'a report' }], more: 1 })).toBe(true);
});

test.each([
  ['not an object', undefined],
  ['null', null],
  ['a list', [second]],
  ['without accepts', {}],
  ['accepts is not a list', { accepts: second }],
  ['nothing accepted', { accepts: [] }],
  ['one wrong among right ones', { accepts: [second, 1] }],
  ['an amount that is a number', { accepts: [{ ...second, amount: 10000 }] }],
  ['an amount with a point', { accepts: [{ ...second, amount: '0.1' }] }],
  ['an amount below zero', { accepts: [{ ...second, amount: '-1' }] }],
  ['an amount with a leading zero', { accepts: [{ ...second, amount: '01' }] }],
  ['no amount', { accepts: [rest] }],
  ['a network without a namespace', { accepts: [{ ...second, network: 'base' }] }],
  ['no payee', { accepts: [{ ...second, payTo: '' }] }],
  ['no asset', { accepts: [{ ...second, asset: undefined }] }],
  ['no scheme', { accepts: [{ ...second, scheme: undefined }] }],
  ['a time of zero', { accepts: [{ ...second, maxTimeoutSeconds: 0 }] }],
  ['extra is not an object', { accepts: [{ ...second, extra: 'x' }] }],
  ['larger than a header', { accepts: [{ ...second, description: 'x'.repeat(9_000) }] }],
  ['too many', { accepts: Array(17).fill({ ...rest, amount: '1', extra: {} }) }],
])('%s is not an offer', (_name, value) => {
  expect(isPaymentOffer(value)).toBe(false);
});
