/** Paid steps over HTTP: a real gateway, chain and facilitator, paid by the official clients (contract/payments). */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { RenderRequest, RenderResponse, Session } from '@flowgate/client/flow-wire';
import { devAccount } from '@flowgate/devkit/dev-token';
import { until } from '@flowgate/testing/until';
import { x402Client } from '@x402/core/client';
import { decodePaymentResponseHeader, x402HTTPClient } from '@x402/core/http';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { ExactEvmSchemeV1 } from '@x402/evm/exact/v1/client';
import {
  type FlowAppFixture,
  publishFlowApp,
  reachesLoopback,
  startFlowApp,
} from '../../apps/gateway/test/fixtures/flow-app.ts';
import {
  freshPayee,
  type Offer,
  type PaidChain,
  paidChainId,
  price,
  startPaidChain,
} from '../../apps/gateway/test/fixtures/paid-chain.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

const appId = 'acme/report';
const offers = new Map<string, Offer>();
let paidChain: PaidChain;
let app: FlowAppFixture;
let gateway: RunningGateway;
let unsettled: RunningGateway;

/** The offer that the session was started with, then the report. */
function report({ launchContext, submission, session }: RenderRequest): RenderResponse {
  const step = { title: 'Report', fields: [], actions: [{ actionId: 'buy', label: 'Buy' }] };
  if (submission !== undefined) return { step: { ...step, stepId: 'report', actions: [], terminal: true } };
  const offer = offers.get(String(launchContext?.['offer']));
  return {
    step: { ...step, stepId: 'buy', ...(offer === undefined ? {} : { payment: offer }) },
    state: { ...session },
  };
}

beforeAll(async () => {
  paidChain = await startPaidChain();
  app = startFlowApp(report);
  const nodes = [{ nodeId: 'dev-1', url: paidChain.chain.url }];
  const networks = [{ dlt: 'ethereum', networkId: 'dev', chainId: paidChainId, default: true, nodes }];
  // The session of a killed gateway is available again soon, and polling for it stays within the rate limit.
  const flow = { facilitatorUrl: paidChain.facilitator.url, leaseSeconds: 2 };
  const limits = { userPerMinute: 10_000, sessionPerMinute: 10_000 };
  gateway = await startGateway({ config: { ...reachesLoopback, networks, flow, limits } });
  unsettled = await startGateway({ config: reachesLoopback });
  for (const each of [gateway, unsettled])
    await publishFlowApp(each, app, {
      appId,
      steps: [{ stepId: 'buy' }, { stepId: 'report' }],
      queries: [],
      events: [],
      linkDomains: ['app.example'],
    });
});
afterAll(async () => {
  await gateway.stop();
  await unsettled.stop();
  app.stop();
  await paidChain.stop();
});

function headersOf(by: RunningGateway, more: Readonly<Record<string, string>> = {}) {
  return { Authorization: `Bearer ${by.token('alice')}`, 'Content-Type': 'application/json', ...more };
}

/** A session at a step that requires this payment. */
async function startPaid(offer: Offer, by = gateway): Promise<Session> {
  const name = `offer ${offers.size}`;
  offers.set(name, offer);
  const body = JSON.stringify({ appId, launchContext: { offer: name } });
  const response = await by.fetch('/flow/sessions', { method: 'POST', headers: headersOf(by), body });
  expect(response.status).toBe(201);
  return (await response.json()) as Session;
}

const buy = (session: Session, key: string, headers: Readonly<Record<string, string>> = {}, by = gateway) =>
  by.fetch(`/flow/sessions/${session.sessionId}/steps/buy`, {
    method: 'POST',
    headers: headersOf(by, { 'Idempotency-Key': key, ...headers }),
    body: JSON.stringify({ actionId: 'buy', fieldValues: {}, stateVersion: session.stateVersion }),
  });

/** The request by which an official client answers a 402. */
async function paymentFor(response: Response): Promise<Record<string, string>> {
  const signer = devAccount(0);
  const client = new x402Client().setSpendControls(false).register('eip155:*', new ExactEvmScheme(signer));
  client.registerV1('base-sepolia' as never, new ExactEvmSchemeV1(signer));
  const http = new x402HTTPClient(client);
  const required = http.getPaymentRequiredResponse((name) => response.headers.get(name), await response.json());
  return http.encodePaymentSignatureHeader(await http.createPaymentPayload(required));
}

test('an official client pays a step: 402, signature, 200 with the receipt; the app also receives it', async () => {
  const payTo = freshPayee();
  const session = await startPaid(paidChain.offer(payTo));
  const asked = await buy(session, 'pays');
  expect(asked.status).toBe(402);
  expect(await asked.clone().json()).toMatchObject({
    type: 'urn:svc:error:payment-required',
    status: 402,
    x402Version: 2,
    error: expect.any(String),
    accepts: paidChain.offer(payTo).accepts,
  });
  const payment = await paymentFor(asked);
  expect(Object.keys(payment)).toEqual(['PAYMENT-SIGNATURE']);

  const answer = await buy(session, 'pays', payment);
  expect(answer.status).toBe(200);
  const body = (await answer.json()) as Session;
  expect(body).toMatchObject({ status: 'completed', stateVersion: 2, currentStep: { stepId: 'report' } });
  expect(body.paymentReceipt).toMatchObject({
    success: true,
    network: paidChain.facilitator.network,
    amount: '100',
    payTo,
  });
  for (const name of ['PAYMENT-RESPONSE', 'X-Payment-Response'])
    expect(decodePaymentResponseHeader(answer.headers.get(name) ?? '')).toMatchObject({
      ...{ success: true, transaction: body.paymentReceipt?.transaction ?? 'none' },
    });
  expect(app.requests.at(-1)?.submission?.paymentReceipt).toEqual(body.paymentReceipt);
  expect(await paidChain.received(payTo)).toBe(price);

  // The same submission again: the stored response, and no payment.
  const again = await buy(session, 'pays', payment);
  expect(again.headers.get('Idempotency-Replayed')).toBe('true');
  expect(again.headers.get('X-Payment-Response')).toBe(answer.headers.get('X-Payment-Response'));
  expect(await again.json()).toEqual(body);
  expect(await paidChain.received(payTo)).toBe(price);
});

test('an overlong payment header is refused with a reason, up to four times the limit of the runtime', async () => {
  const session = await startPaid(paidChain.offer(freshPayee()));
  for (const name of ['PAYMENT-SIGNATURE', 'X-Payment'])
    for (const length of [16_385, 20_000, 60_000]) {
      const response = await buy(session, 'long', { [name]: 'a'.repeat(length) });
      expect([length, response.status, await response.json()]).toMatchObject([
        length,
        402,
        { type: 'urn:svc:error:payment-required', error: 'the payment header is too long' },
      ]);
    }
});

test('a client of protocol version 1 pays with X-Payment', async () => {
  const payTo = freshPayee();
  const session = await startPaid(paidChain.firstOffer(payTo));
  const payment = await paymentFor(await buy(session, 'first'));
  expect(Object.keys(payment)).toEqual(['X-PAYMENT']);
  const answer = await buy(session, 'first', payment);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('X-Payment-Response')).not.toBeNull();
  expect(await paidChain.received(payTo)).toBe(price);
});

test('a payment for one session is refused with 402 in another session', async () => {
  const payTo = freshPayee();
  const first = await startPaid(paidChain.offer(payTo));
  const payment = await paymentFor(await buy(first, 'one'));
  expect((await buy(first, 'one', payment)).status).toBe(200);
  const second = await startPaid(paidChain.offer(payTo));
  const answer = await buy(second, 'two', payment);
  expect(answer.status).toBe(402);
  expect(await answer.json()).toMatchObject({ error: expect.stringContaining('another step') });
  expect(await paidChain.received(payTo)).toBe(price);
});

test('an app that fails after the payment is called again without another payment (contract/payments)', async () => {
  const payTo = freshPayee();
  const session = await startPaid(paidChain.offer(payTo));
  const payment = await paymentFor(await buy(session, 'fails'));
  app.script(() => new Response('broken', { status: 500 }));
  try {
    const failed = await buy(session, 'fails', payment);
    expect(failed.status).toBe(502);
    expect(await failed.json()).toMatchObject({ retryable: true });
  } finally {
    app.script(report);
  }
  const answer = await buy(session, 'fails');
  expect(answer.status).toBe(200);
  expect(((await answer.json()) as Session).paymentReceipt).toMatchObject({ success: true, payTo });
  expect(await paidChain.received(payTo)).toBe(price);
});

test('a failed settlement is 502 with its reason and leaves the session unchanged', async () => {
  const payTo = freshPayee();
  const session = await startPaid(paidChain.offer(payTo));
  const payment = await paymentFor(await buy(session, 'refused'));
  paidChain.facilitator.failNext('settle', { kind: 'refuse', reason: 'insufficient_funds' });
  const answer = await buy(session, 'refused', payment);
  expect(answer.status).toBe(502);
  expect(await answer.json()).toMatchObject({
    ...{ type: 'urn:svc:error:bad-gateway', detail: 'payment settlement failed: insufficient_funds', retryable: false },
  });
  const look = await gateway.fetch(`/flow/sessions/${session.sessionId}`, { headers: headersOf(gateway) });
  expect(await look.json()).toEqual(session);
  expect(await paidChain.received(payTo)).toBe(0n);
});

test('no payment signature is in the log', () => {
  expect(gateway.output()).toContain('payment.settled');
  expect(gateway.output()).not.toMatch(/signature|0x[0-9a-f]{130}/i);
});

test('a gateway that is killed during settlement causes no second payment', async () => {
  const payTo = freshPayee();
  const session = await startPaid(paidChain.offer(payTo));
  const payment = await paymentFor(await buy(session, 'killed'));
  // The payment is settled, but the gateway does not receive the result.
  paidChain.facilitator.failNext('settle', { kind: 'hang', when: 'after' });
  const lost = buy(session, 'killed', payment).then(
    () => 'answered',
    () => 'lost',
  );
  await Promise.race([lost, untilReceived(payTo)]);
  await gateway.restart();
  expect(await lost).toBe('lost');
  const answer = await untilFree(() => buy(session, 'killed', payment));
  expect(answer.status).toBe(200);
  expect(await paidChain.received(payTo)).toBe(price);
});

const untilReceived = (payTo: string) => until('it is paid', async () => (await paidChain.received(payTo)) > 0n);

/** The lease of the killed gateway has to expire first. */
async function untilFree(attempt: () => Promise<Response>): Promise<Response> {
  let response = await attempt();
  const isFree = async () => {
    if (response.status === 409) response = await attempt();
    return response.status !== 409;
  };
  await until('the session is free', isFree, 60_000, 100);
  return response;
}

test('without a facilitator the 402 is the same, and a payment is 502 without retry', async () => {
  const session = await startPaid(paidChain.offer(freshPayee()), unsettled);
  const asked = await buy(session, 'none', {}, unsettled);
  expect(asked.status).toBe(402);
  const answer = await buy(session, 'none', await paymentFor(asked), unsettled);
  expect(answer.status).toBe(502);
  expect(await answer.json()).toMatchObject({ type: 'urn:svc:error:bad-gateway', retryable: false });
});
