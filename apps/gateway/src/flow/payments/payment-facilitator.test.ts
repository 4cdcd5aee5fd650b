/** How the gateway reads each response of a facilitator, and the limits of reading. */

import { afterEach, expect, test } from 'bun:test';
import { requirementsOf } from '@flowgate/flow-format/payment-offer';
import { endAll, endsWith } from '@flowgate/testing/raw-http1-server';
import { openSafeFetch } from '@flowgate/testing/safe-fetch';
import { maxFacilitatorBytes, openFacilitator } from './payment-facilitator.ts';
import { readPaymentHeader } from './payment-header.ts';
import { type MatchedPayment, matchPayment } from './payment-match.ts';

afterEach(endAll);

const hex = (digit: string, bytes: number) => `0x${digit.repeat(bytes * 2)}`;
const [asset, payTo, from] = [hex('a', 20), hex('b', 20), hex('c', 20)];
const requirement = { scheme: 'exact', asset, payTo, maxTimeoutSeconds: 60, network: 'eip155:8453', amount: '100' };
const authorization = { from, to: payTo, value: '100', validAfter: '0', validBefore: '9', nonce: hex('d', 32) };
const payload = { authorization, signature: hex('1', 65) };

function matchedPayment(): MatchedPayment {
  const header = btoa(JSON.stringify({ x402Version: 2, accepted: requirement, payload }));
  const read = readPaymentHeader(() => header);
  if (read.kind !== 'payment') throw new Error(read.kind);
  const match = matchPayment(requirementsOf({ accepts: [requirement] }) ?? [], read.payment);
  if (match.kind !== 'matched') throw new Error(match.error);
  return match.matched;
}

type Received = { readonly path: string; readonly authorization: string | null; readonly body: unknown };

/** A facilitator that gives every request the same response. */
function answering(respond: () => Response, userinfo = '') {
  const received: Received[] = [];
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const path = new URL(request.url).pathname;
      received.push({ path, authorization: request.headers.get('Authorization'), body: await request.json() });
      return respond();
    },
  });
  endsWith(() => void server.stop(true));
  const { request } = openSafeFetch({ allowPrivateHosts: [] });
  const url = `http://${userinfo}127.0.0.1:${server.port}/x402/`;
  const facilitator = openFacilitator({ url, request, verifyTimeoutMs: 20_000, settleTimeoutMs: 20_000 });
  return { received, facilitator };
}

const json =
  (members: object, status = 200) =>
  () =>
    Response.json(members, { status });
const settled = { success: true, transaction: '0xabc', network: 'eip155:8453' };

test.each<[string, () => Response, object]>([
  ['a valid payment', json({ isValid: true }), { kind: 'valid' }],
  [
    'an invalid payment',
    json({ isValid: false, invalidReason: 'invalid_signature' }),
    { kind: 'invalid', reason: 'invalid_signature' },
  ],
  [
    'a reason that is not a code',
    json({ isValid: false, invalidReason: `of ${from}` }),
    { kind: 'invalid', reason: 'unexpected_verify_error' },
  ],
  [
    'a result with status 400',
    json({ isValid: false, invalidReason: 'insufficient_funds' }, 400),
    { kind: 'invalid', reason: 'insufficient_funds' },
  ],
  ['an error without a reason', json({ isValid: false }, 500), { kind: 'unavailable' }],
  ['another object', json({ valid: true }), { kind: 'unavailable' }],
  ['a page', () => new Response('<html>'), { kind: 'unavailable' }],
  [
    'a redirect',
    () => new Response(null, { status: 308, headers: { Location: 'http://127.0.0.1:1/' } }),
    { kind: 'unavailable' },
  ],
])('verify: %s', async (_what, respond, verification) => {
  const { facilitator, received } = answering(respond);
  expect<unknown>(await facilitator.verify(matchedPayment())).toEqual(verification);
  expect(received).toEqual([
    {
      path: '/x402/verify',
      authorization: null,
      body: {
        x402Version: 2,
        paymentPayload: { x402Version: 2, accepted: requirement, payload },
        paymentRequirements: requirement,
      },
    },
  ]);
});

test.each<[string, () => Response, object]>([
  ['settled', json({ ...settled, payer: from }), { kind: 'settled', transaction: '0xabc', payer: from }],
  ['settled by an unnamed payer', json({ ...settled, payer: null }), { kind: 'settled', transaction: '0xabc' }],
  [
    'refused before anything was sent',
    json({ success: false, transaction: '', network: 'eip155:8453', errorReason: 'insufficient_funds' }),
    { kind: 'refused', reason: 'insufficient_funds', certain: true },
  ],
  [
    'refused with status 400',
    json({ success: false, errorReason: 'invalid_signature' }, 400),
    { kind: 'refused', reason: 'invalid_signature', certain: true },
  ],
  [
    'refused after a transaction',
    json({ ...settled, success: false, errorReason: 'invalid_transaction_state' }),
    { kind: 'refused', reason: 'invalid_transaction_state', certain: false },
  ],
  ['settled without a transaction', json({ success: true, network: 'eip155:8453' }), { kind: 'unclear' }],
  ['success stated twice', () => new Response('{"success":false,"success":true}'), { kind: 'unclear' }],
  ['a page', () => new Response('<html>', { status: 502 }), { kind: 'unclear' }],
])('settle: %s', async (_what, respond, settlement) => {
  const { facilitator, received } = answering(respond);
  expect<unknown>(await facilitator.settle(matchedPayment())).toEqual(settlement);
  expect(received.map(({ path }) => path)).toEqual(['/x402/settle']);
});

test('a response above the limit is not read to its end (contract/bounds#sizes: a facilitator response)', async () => {
  const padded = (bytes: number) => JSON.stringify({ ...settled, isValid: true, padding: 'x'.repeat(bytes) });
  const small = answering(() => new Response(padded(maxFacilitatorBytes - 200))).facilitator;
  expect(await small.verify(matchedPayment())).toEqual({ kind: 'valid' });
  expect(await small.settle(matchedPayment())).toEqual({ kind: 'settled', transaction: '0xabc' });
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 65_536;
      controller.enqueue(new Uint8Array(65_536).fill(0x20));
    },
  });
  const large = answering(() => new Response(endless)).facilitator;
  expect(await large.verify(matchedPayment())).toEqual({ kind: 'unavailable' });
  expect(sent).toBeLessThan(100_000_000);
  const zipped = Bun.gzipSync(padded(20_000_000));
  const bomb = answering(() => new Response(zipped, { headers: { 'Content-Encoding': 'gzip' } })).facilitator;
  expect(await bomb.settle(matchedPayment())).toEqual({ kind: 'unclear' });
});

test('credentials in the configured address are sent as Basic', async () => {
  const { facilitator, received } = answering(json({ isValid: true }), 'gateway:p%40ss@');
  expect(await facilitator.verify(matchedPayment())).toEqual({ kind: 'valid' });
  expect(received[0]?.authorization).toBe(`Basic ${btoa('gateway:p@ss')}`);
});
