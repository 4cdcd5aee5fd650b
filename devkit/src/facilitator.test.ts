/** The development facilitator settles on a real chain what official x402 clients sign. */
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test';
import { HTTPFacilitatorClient } from '@x402/core/http';
import type { PaymentRequirements } from '@x402/core/types';
import type { Address } from 'viem';
import { type Chain, startChain } from './chain.ts';
import { deployDevToken, devAccount, devTokenBalance, devTokenDomain, fundDevToken } from './dev-token.ts';
import { type Facilitator, startFacilitator } from './facilitator.ts';
import { paymentFor } from './payer.ts';

const payee = devAccount(1).address;
let chain: Chain;
let token: Address;
let facilitator: Facilitator;

// A chain id that has a network name in x402's first version.
beforeAll(async () => {
  chain = await startChain({ chainId: 84532 });
  token = await deployDevToken({ rpcUrl: chain.url });
  await fundDevToken({ rpcUrl: chain.url, token }, devAccount(0).address, 1_000_000n);
  facilitator = await startFacilitator({ rpcUrl: chain.url });
});
afterEach(() => facilitator.heal());
afterAll(async () => {
  await facilitator.stop();
  await chain.stop();
});

const received = () => devTokenBalance({ rpcUrl: chain.url, token }, payee);
const clientOf = (timeoutMs = 20_000) => new HTTPFacilitatorClient({ url: facilitator.url, timeoutMs });

function requirements(): PaymentRequirements {
  const extra = { ...devTokenDomain };
  const terms = { asset: token, amount: '100', payTo: payee, maxTimeoutSeconds: 300, extra };
  return { scheme: 'exact', network: facilitator.network, ...terms };
}

function requirementsV1() {
  const { amount, ...rest } = requirements();
  const resource = { resource: 'http://resource', description: '', mimeType: 'application/json', outputSchema: {} };
  return { ...rest, ...resource, network: 'base-sepolia', maxAmountRequired: amount };
}

test('what the official client signs is verified and settled: the token moved, once', async () => {
  const before = await received();
  const payload = await paymentFor([requirements()]);
  const client = clientOf();
  expect(await client.verify(payload, requirements())).toMatchObject({ isValid: true });
  expect(await client.settle(payload, requirements())).toMatchObject({ success: true, network: 'eip155:84532' });
  expect(await received()).toBe(before + 100n);
  expect(await client.settle(payload, requirements())).toMatchObject({ success: false });
  expect(await received()).toBe(before + 100n);
});

test('the protocol’s first version settles as well', async () => {
  const before = await received();
  const offered = requirementsV1();
  const payload = await paymentFor([offered], { version: 1 });
  const client = clientOf();
  expect(await client.verify(payload, offered as never)).toMatchObject({ isValid: true });
  expect(await client.settle(payload, offered as never)).toMatchObject({ success: true, network: 'base-sepolia' });
  expect(await received()).toBe(before + 100n);
});

test('concurrent payments are all settled', async () => {
  const before = await received();
  const payloads = await Promise.all(Array.from({ length: 8 }, () => paymentFor([requirements()])));
  const results = await Promise.all(payloads.map((payload) => clientOf().settle(payload, requirements())));
  expect(results.map(({ success }) => success)).toEqual(Array(8).fill(true));
  expect(await received()).toBe(before + 800n);
});

test('each requested fault happens once: refusal, a cut connection before or after settling, silence', async () => {
  const before = await received();
  const payload = await paymentFor([requirements()]);
  facilitator.failNext('settle', { kind: 'refuse', reason: 'insufficient_funds' }, { kind: 'crash', when: 'before' });
  expect(await clientOf().settle(payload, requirements())).toMatchObject({ errorReason: 'insufficient_funds' });
  await expect(clientOf().settle(payload, requirements())).rejects.toThrow();
  facilitator.failNext('settle', { kind: 'hang', when: 'before' });
  await expect(clientOf(200).settle(payload, requirements())).rejects.toThrow('timed out');
  expect(await received()).toBe(before);
  facilitator.failNext('settle', { kind: 'crash', when: 'after' });
  await expect(clientOf().settle(payload, requirements())).rejects.toThrow();
  expect(await received()).toBe(before + 100n);
  expect(facilitator.requests('settle')).toBeGreaterThanOrEqual(4);
});

test('the facilitator lists the schemes and networks that it settles', async () => {
  const { kinds } = await clientOf().getSupported();
  expect(kinds.map(({ x402Version, network }) => `${x402Version} ${network}`).sort()).toEqual([
    '1 base-sepolia',
    '2 eip155:84532',
  ]);
});
