import { expect, test } from 'bun:test';
import { type OfferedRequirement, requirementsOf } from '@flowgate/flow-format/payment-offer';
import fc from 'fast-check';
import { type OfferedPayment, readPaymentHeader } from './payment-header.ts';
import { identifiedPart, identityOf } from './payment-identity.ts';
import { matchPayment } from './payment-match.ts';

const hex = (digit: string, bytes: number) => `0x${digit.repeat(bytes * 2)}`;
const [asset, payTo, from] = [hex('a', 20), hex('b', 20), hex('c', 20)];
const base = { scheme: 'exact', asset, payTo, maxTimeoutSeconds: 60, extra: { name: 'USDC', version: '2' } };
const second = { ...base, network: 'eip155:8453', amount: '100' };
const first = { ...base, network: 'base', maxAmountRequired: '100', resource: 'https://a', description: '' };

function offered(...accepts: object[]): readonly OfferedRequirement[] {
  return requirementsOf({ accepts }) ?? [];
}

const authorization = { from, to: payTo, value: '100', validAfter: '0', validBefore: '9', nonce: hex('d', 32) };
const signed = { authorization, signature: hex('1', 65) };

function payment(payload: object = signed, accepted: object = second): OfferedPayment {
  const read = readPaymentHeader(() => btoa(JSON.stringify({ x402Version: 2, accepted, payload })));
  if (read.kind !== 'payment') throw new Error(read.kind);
  return read.payment;
}

function firstPayment(payload: object = signed, network = 'base'): OfferedPayment {
  const read = readPaymentHeader(() => btoa(JSON.stringify({ x402Version: 1, scheme: 'exact', network, payload })));
  if (read.kind !== 'payment') throw new Error(read.kind);
  return read.payment;
}

const kindOf = (accepts: readonly OfferedRequirement[], each: OfferedPayment) => matchPayment(accepts, each).kind;

test('PAYMENT-SIGNATURE takes precedence over X-Payment, and an empty header counts as absent', () => {
  const header = btoa(JSON.stringify({ x402Version: 1, scheme: 'exact', network: 'base', payload: {} }));
  expect(readPaymentHeader((name) => (name === 'x-payment' ? header : null)).kind).toBe('payment');
  expect(readPaymentHeader((name) => (name === 'x-payment' ? header : 'rubbish!')).kind).toBe('malformed');
  expect(readPaymentHeader(() => null)).toEqual({ kind: 'none' });
  expect(readPaymentHeader(() => '')).toEqual({ kind: 'none' });
});

test('a number that JSON parsing would change is refused', () => {
  const header = btoa('{"x402Version":1,"scheme":"exact","network":"base","payload":{"value":1000000000000000001}}');
  expect(readPaymentHeader(() => header)).toEqual({
    kind: 'malformed',
    error: 'the payment header holds a number that a 64-bit float would change: send it as a string',
  });
});

test('a payment belongs to one chain in every spelling; an invalid chain number is refused', () => {
  const kinds = ['eip155:8453', 'eip155:08453', 'eip155:8453x', 'eip155:0x2105', 'eip155:8453-', 'eip155:0'].map(
    (network) => {
      const accepted = { ...second, network };
      return kindOf(offered(accepted), payment(signed, accepted));
    },
  );
  expect(kinds).toEqual(['matched', 'unmatched', 'unmatched', 'unmatched', 'unmatched', 'unmatched']);
});

test('the reader throws for no header', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(readPaymentHeader(() => text).kind).toBeString();
    }),
  );
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(readPaymentHeader(() => btoa(encodeURI(JSON.stringify(value)))).kind).not.toBe('none');
    }),
  );
});

test('the claimed requirement is found among several, regardless of the case of addresses', () => {
  const accepts = offered({ ...second, amount: '200' }, first, second);
  const upper = { ...second, asset: asset.replaceAll('a', 'A') };
  for (const each of [payment(), payment(signed, upper)])
    expect(matchPayment(accepts, each)).toMatchObject({
      kind: 'matched',
      matched: { requirement: { version: 2, amount: '100' } },
    });
  expect(matchPayment(accepts, firstPayment())).toMatchObject({
    kind: 'matched',
    matched: { requirement: { version: 1 } },
  });
});

test("an authorization counts by what it pays, not by the payload's other members", () => {
  const accepts = offered(second);
  expect(kindOf(accepts, payment())).toBe('matched');
  for (const wrong of [
    { value: '99' },
    { value: '0100' },
    { to: from },
    { nonce: '0x1' },
    { from: 'c' },
    { validBefore: 'never' },
  ])
    expect(kindOf(accepts, payment({ ...signed, authorization: { ...authorization, ...wrong } }))).toBe('unmatched');
  expect(kindOf(accepts, payment({ ...signed, authorization: 'x' }))).toBe('unmatched');
  expect(kindOf(accepts, payment({ ...signed, permit2Authorization: { from, nonce: '1' } }))).toBe('unmatched');
  expect(kindOf(offered(first), payment())).toBe('unmatched');
  expect(kindOf(offered(first), firstPayment(signed, 'base-sepolia'))).toBe('unmatched');
});

function idOf(requirement: object, each: OfferedPayment): string | undefined {
  const [offer] = offered(requirement);
  return offer === undefined ? undefined : identityOf(offer, each)?.paymentId;
}

test('an authorization has one identity, in every spelling and with any further members', () => {
  const id = idOf(second, payment());
  expect(id).toBe(`eip155:8453/${asset}/${from}/${authorization.nonce}`);
  const shouting = { ...authorization, nonce: `0x${'D'.repeat(64)}`, from: `0x${'C'.repeat(40)}` };
  expect(idOf(second, payment({ more: 1, signature: hex('2', 65), authorization: { ...shouting, more: 2 } }))).toBe(id);
  expect(idOf(first, firstPayment())).toBe(id);
  expect(idOf({ ...second, network: 'eip155:1' }, payment())).not.toBe(id);
  expect(idOf({ ...second, asset: from }, payment())).not.toBe(id);
});

test('a Permit2 payment is identified by payer and nonce', () => {
  const permit = { permit2Authorization: { from, nonce: '7', deadline: '9' }, signature: '0x1' };
  expect(idOf(second, payment(permit))).toBe(`eip155:8453/permit2/${from}/7`);
  expect(idOf({ ...second, scheme: 'upto' }, payment(permit))).toBe(`eip155:8453/permit2/${from}/7`);
});

test('a payment that could be written in two ways has no identity, and is refused', () => {
  const kinds: readonly (readonly [object, object])[] = [
    [{ network: 'solana:5eykt4' }, { transaction: 'AQID' }],
    // The transaction would be settled instead of the authorization.
    [{ network: 'solana:5eykt4' }, { transaction: 'AQID', ...signed }],
    [{}, { transaction: '0x01', signature: '0x1' }],
    [{}, { ...signed, authorization: undefined, permissionContext: '0x1' }],
    [{ scheme: 'auth-capture' }, signed],
    [{ scheme: 'batch-settlement' }, { permit2Authorization: { from, nonce: '7' } }],
  ];
  for (const [offer, payload] of kinds) {
    const requirement = { ...second, ...offer };
    expect(idOf(requirement, payment(payload, requirement))).toBeUndefined();
    expect(matchPayment(offered(requirement), payment(payload, requirement))).toEqual({
      kind: 'unmatched',
      error: 'the payment payload contains no valid EIP-3009 or Permit2 authorization',
    });
  }
});

test('a payment is the same in every encoding: order, case, spaces, base64, further members', () => {
  const upper = (text: string) => `0x${text.slice(2).toUpperCase()}`;
  const spelling = fc.record({
    shouts: fc.boolean(),
    turned: fc.boolean(),
    indent: fc.integer({ min: 0, max: 4 }),
    padded: fc.boolean(),
    more: fc.dictionary(fc.constantFrom('memo', 'transaction', 'channelConfig', 'type'), fc.jsonValue()),
  });
  fc.assert(
    fc.property(spelling, ({ shouts, turned, indent, padded, more }) => {
      const spell = (text: string) => (shouts ? upper(text) : text);
      const members = Object.entries({
        ...authorization,
        from: spell(from),
        nonce: spell(authorization.nonce),
        ...more,
      });
      const payload = {
        ...more,
        signature: '0x1',
        authorization: Object.fromEntries(turned ? members.reverse() : members),
      };
      const text = btoa(JSON.stringify({ payload, accepted: second, x402Version: 2 }, null, indent));
      const read = readPaymentHeader(() => (padded ? text : text.replace(/=+$/, '')));
      if (read.kind === 'malformed') return;
      if (read.kind !== 'payment') throw new Error(read.kind);
      expect(idOf(second, read.payment)).toBe(`eip155:8453/${asset}/${from}/${authorization.nonce}`);
      expect(Object.keys(identifiedPart(read.payment.payload))).toEqual(['signature', 'authorization']);
    }),
  );
});
