/** Payments on a real chain, with a real facilitator and both engines: what is charged, when, and that nothing is charged twice. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTimeSlices } from '@flowgate/async/time-slices';
import { createTimerWheel } from '@flowgate/async/timer-wheel';
import { TurnBudget } from '@flowgate/async/turn-budget';
import { systemClock } from '@flowgate/base/clock';
import { systemRandomBytes } from '@flowgate/base/random';
import { Unavailable } from '@flowgate/base/unavailable';
import { ByteBudget } from '@flowgate/bytes/byte-budget';
import { devAccount } from '@flowgate/devkit/dev-token';
import { paymentFor, paymentHeaderOf } from '@flowgate/devkit/payer';
import { openSqliteDatabase } from '@flowgate/sql/engine/sqlite/sqlite-database';
import { quietLog } from '@flowgate/testing/quiet-log';
import { endAll } from '@flowgate/testing/raw-http1-server';
import { openSafeFetch } from '@flowgate/testing/safe-fetch';
import { testRounds } from '@flowgate/testing/test-rounds';
import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from '@x402/core/http';
import fc from 'fast-check';
import {
  freshPayee,
  type Offer,
  type PaidChain,
  paidChainId,
  price,
  signedHeader,
  startPaidChain,
} from '../../../test/fixtures/paid-chain.ts';
import { onEveryEngine } from '../../../test/fixtures/sql-engines.ts';
import type { RouteRefusal } from '../../api/route.ts';
import { schema } from '../../storage/storage-schema.ts';
import { openNetworks } from '../../upstream/networks/open-networks.ts';
import { createPaymentGate } from './create-payment-gate.ts';
import { createLedgerAccess, type LedgerAccess } from './ledger-access.ts';
import { openFacilitator } from './payment-facilitator.ts';
import type { Paid, PaidSubmission, PayableSession, PaymentGate } from './payment-gate.ts';
import type { PaymentStore } from './payment-store.ts';
import { createSqlPaymentStore } from './sql-payment-store.ts';

let paidChain: PaidChain;
let ledger: LedgerAccess;
let closeNetworks: () => void;

// Every test moves money on a chain, some a dozen times.
beforeAll(async () => {
  paidChain = await startPaidChain();
  ({ ledger, close: closeNetworks } = ledgerOn(paidChain.chain.url));
});
afterEach(() => paidChain.facilitator.heal());
afterAll(async () => {
  endAll();
  closeNetworks();
  await paidChain.stop();
});

function ledgerOn(url: string) {
  const node = { nodeId: 'dev-1', url, headers: {} };
  const network = {
    ...{ dlt: 'ethereum', networkId: 'dev', chainId: paidChainId, default: true },
    family: 'evm' as const,
    nodes: [node],
  };
  const limits = { nodeTimeoutSeconds: 10, maxResponseBytes: 1_000_000, maxConnectionsPerNode: 10 };
  const parts = {
    ...{ log: quietLog(), timerWheel: createTimerWheel(systemClock), clock: systemClock },
    answerBudget: new ByteBudget({ totalBytes: 1_000_000, ownerBytes: 1_000_000 }),
    randomBytes: systemRandomBytes,
    ...{ random: () => 0, timers: createTimerWheel(systemClock) },
    health: { intervalSeconds: 15 },
    slices: createTimeSlices(systemClock),
    turns: new TurnBudget(systemClock),
  };
  const { directory, close } = openNetworks([{ ...network, methods: { enable: [] } }], limits, parts);
  return { ledger: createLedgerAccess(directory), close };
}

const { request } = openSafeFetch();
let sessions = 0;

function sessionOf(payment: Offer | undefined): PayableSession {
  sessions += 1;
  const step = { stepId: 'pay', ...(payment === undefined ? {} : { payment }) };
  return { sessionId: `ses_${sessions}`, stateVersion: 1, step };
}

type GateOptions = {
  readonly payments: PaymentStore;
  /** `null`: no facilitator is configured. */
  readonly facilitatorUrl?: string | null;
  readonly ledger?: LedgerAccess;
  readonly settleTimeoutMs?: number;
  readonly takenOver?: PaidSubmission['takenOver'];
};

function openGate({
  payments,
  facilitatorUrl = paidChain.facilitator.url,
  settleTimeoutMs = 20_000,
  ...more
}: GateOptions): PaymentGate {
  const timeouts = { verifyTimeoutMs: 20_000, settleTimeoutMs };
  return createPaymentGate({
    payments,
    facilitator: facilitatorUrl === null ? undefined : openFacilitator({ url: facilitatorUrl, request, ...timeouts }),
    ledger: more.ledger ?? ledger,
    gatewayUrl: 'https://gateway.example/',
    clock: systemClock,
    randomBytes,
    log: quietLog(),
  });
}

function gateOf(options: GateOptions) {
  const gate = openGate(options);
  return (session: PayableSession, header?: string, name = 'payment-signature') =>
    gate.pay({
      session,
      header: (asked) => (asked.toLowerCase() === name && header !== undefined ? header : null),
      takenOver: options.takenOver ?? (async () => undefined),
    });
}

const noLedger: LedgerAccess = () => undefined;

/** Throws, which fails the test, unless the step was paid for. */
function receiptOf(answer: Paid | RouteRefusal) {
  if (!answer.ok) throw new Error(`not paid: ${answer.reason} ${answer.detail}`);
  return answer.receipt;
}

const refusedAs = (reason: string, detail: string, retryable?: boolean) =>
  expect.objectContaining({
    ...{ ok: false, reason, detail: expect.stringContaining(detail) },
    ...(retryable === undefined ? {} : { retryable }),
  });

onEveryEngine((engine, open) => {
  describe(`payments on ${engine}`, () => {
    let payments: PaymentStore;
    let close: () => Promise<void>;
    let payTo: string;
    let offer: Offer;
    beforeEach(async () => {
      const opened = await open();
      payments = createSqlPaymentStore(opened.database);
      close = opened.close;
      payTo = freshPayee();
      offer = paidChain.offer(payTo);
    });
    afterEach(() => close());

    const settles = () => paidChain.facilitator.requests('settle');
    /** The same offer with changed members, for a payer that signs other terms than required. */
    const changed = (more: object): Offer => ({ accepts: offer.accepts.map((each) => ({ ...each, ...more })) });
    const unpaid = async () => expect(await paidChain.received(payTo)).toBe(0n);
    const paidOnce = async () => expect(await paidChain.received(payTo)).toBe(price);

    test('a free step passes with any header', async () => {
      expect(await gateOf({ payments })(sessionOf(undefined), 'x')).toEqual({ ok: true, headers: {} });
    });

    test('without a payment, body and header list the accepted payments, and no facilitator is needed (contract/payments)', async () => {
      const answer = await gateOf({ payments, facilitatorUrl: null })(sessionOf(offer));
      expect(answer).toEqual(refusedAs('payment-required', 'header is required'));
      const { members, headers } = answer as RouteRefusal;
      expect(members).toMatchObject({ x402Version: 2, accepts: offer.accepts, error: expect.any(String) });
      const header = decodePaymentRequiredHeader(headers?.['PAYMENT-REQUIRED'] ?? '');
      expect(header).toMatchObject({ x402Version: 2, accepts: offer.accepts });
      expect(header.resource.url).toMatch(/^https:\/\/gateway\.example\/flow\/sessions\/ses_\d+\/steps\/pay$/);
    });

    test('a payment is charged once; the same step then needs no payment, with any header', async () => {
      const gate = gateOf({ payments });
      const session = sessionOf(offer);
      const header = await signedHeader(offer);
      const answer = await gate(session, header);
      const receipt = receiptOf(answer);
      expect(receipt).toMatchObject({
        success: true,
        network: 'eip155:84532',
        amount: '100',
        payTo,
        asset: paidChain.token,
      });
      for (const name of ['PAYMENT-RESPONSE', 'X-Payment-Response'])
        expect(decodePaymentResponseHeader((answer as Paid).headers[name] ?? '')).toMatchObject({
          ...{ success: true, transaction: receipt?.transaction, network: 'eip155:84532', payer: receipt?.payer },
        });
      const before = settles();
      for (const again of [header, undefined, 'rubbish', await signedHeader(offer)])
        expect(await gate(session, again)).toEqual(answer);
      expect(settles()).toBe(before);
      await paidOnce();
    });

    test('X-Payment is read as well; a payment of version 1 is settled and answered in the form of version 1', async () => {
      const first = paidChain.firstOffer(payTo);
      const asked = (await gateOf({ payments })(sessionOf(first))) as RouteRefusal;
      expect(asked.members).toMatchObject({ x402Version: 1, accepts: first.accepts });
      const answer = await gateOf({ payments })(sessionOf(first), await signedHeader(first, 1), 'x-payment');
      expect(receiptOf(answer)).toMatchObject({ network: 'eip155:84532', amount: '100' });
      expect(decodePaymentResponseHeader((answer as Paid).headers['X-Payment-Response'] ?? '').network as string).toBe(
        'base-sepolia',
      );
      await paidOnce();
    });

    test('a payment pays for one step: another session, step or stateVersion gets 402, in both protocol versions', async () => {
      const gate = gateOf({ payments });
      const both = { accepts: [...offer.accepts, ...paidChain.firstOffer(payTo).accepts] };
      const session = sessionOf(both);
      const payload = await paymentFor(offer.accepts);
      receiptOf(await gate(session, paymentHeaderOf(payload)));
      const { payload: signed } = payload;
      const older = { x402Version: 1, scheme: 'exact', network: 'base-sepolia', payload: signed };
      const before = paidChain.facilitator.requests('verify');
      for (const other of [
        sessionOf(both),
        { ...session, stateVersion: 2 },
        { ...session, step: { ...session.step, stepId: 'b' } },
      ])
        for (const header of [paymentHeaderOf(payload), paymentHeaderOf(older as never)])
          expect(await gate(other, header)).toEqual(refusedAs('payment-required', 'already offered for another step'));
      expect(paidChain.facilitator.requests('verify')).toBe(before);
      await paidOnce();
    });

    test('one payment offered to ten sessions concurrently pays for one of them', async () => {
      const gate = gateOf({ payments });
      const header = await signedHeader(offer);
      const answers = await Promise.all(Array.from({ length: 10 }, () => gate(sessionOf(offer), header)));
      expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
      await paidOnce();
    });

    test('of ten payments offered to one step concurrently one is charged', async () => {
      const gate = gateOf({ payments });
      const session = sessionOf(offer);
      const headers = await Promise.all(Array.from({ length: 10 }, () => signedHeader(offer)));
      await Promise.all(headers.map((header) => gate(session, header)));
      receiptOf(await gate(session, await signedHeader(offer)));
      await paidOnce();
    });

    test('another amount, asset, payee, network or scheme than required gets 402 and reaches no facilitator', async () => {
      const gate = gateOf({ payments });
      const session = sessionOf(offer);
      const before = paidChain.facilitator.requests('verify');
      const changes = [{ amount: '99' }, { asset: freshPayee() }, { payTo: freshPayee() }, { network: 'eip155:1' }];
      for (const change of changes)
        expect(await gate(session, await signedHeader(changed(change)))).toEqual(
          refusedAs('payment-required', 'no matching payment requirements'),
        );
      // The unsigned copy states the requirement, but the signature covers other terms.
      const [accepted] = offer.accepts;
      for (const change of [{ amount: '99' }, { payTo: freshPayee() }]) {
        const lying = { ...(await paymentFor(changed(change).accepts)), accepted };
        expect(await gate(session, paymentHeaderOf(lying as never))).toEqual(
          refusedAs('payment-required', 'another amount or payee'),
        );
      }
      expect(paidChain.facilitator.requests('verify')).toBe(before);
      await unpaid();
    });

    test.each([
      ['not base64', '%%%'],
      ['not JSON', btoa('x')],
      ['not a payload', btoa('{}')],
      ['too long (contract/bounds#sizes: a payment header)', 'A'.repeat(16_385)],
    ])('a payment header that is %s gets 402 with the reason', async (_name, header) => {
      const answer = await gateOf({ payments })(sessionOf(offer), header);
      expect(answer).toEqual(refusedAs('payment-required', 'the payment header is'));
    });

    test('a payment that the facilitator refuses gets 402 with its reason, and a valid one is charged afterwards', async () => {
      const gate = gateOf({ payments });
      const session = sessionOf(offer);
      const expired = await signedHeader(changed({ maxTimeoutSeconds: 1 }));
      expect(await gate(session, expired)).toEqual(refusedAs('payment-required', 'authorization_valid_before'));
      const payload = await paymentFor(offer.accepts);
      const forged = { ...payload, payload: { ...payload.payload, signature: `0x${'11'.repeat(65)}` } };
      expect(await gate(session, paymentHeaderOf(forged))).toEqual(refusedAs('payment-required', 'signature'));
      await unpaid();
      receiptOf(await gate(session, paymentHeaderOf(payload)));
      await paidOnce();
    });

    test('without a facilitator a payment gets 502, not retryable; with a failing facilitator it gets a retryable 502', async () => {
      const session = sessionOf(offer);
      const header = await signedHeader(offer);
      expect(await gateOf({ payments, facilitatorUrl: null })(session, header)).toEqual(
        refusedAs('bad-gateway', 'no x402 facilitator configured', false),
      );
      expect(await gateOf({ payments, facilitatorUrl: 'http://127.0.0.1:1' })(session, header)).toEqual(
        refusedAs('bad-gateway', 'could not be verified', true),
      );
      const gate = gateOf({ payments });
      for (const kind of ['crash', 'error'] as const) {
        paidChain.facilitator.failNext('verify', { kind, when: 'before' });
        expect(await gate(session, header)).toEqual(refusedAs('bad-gateway', 'could not be verified', true));
      }
      await unpaid();
      // The payment was released, so it may pay for another step.
      receiptOf(await gate(sessionOf(offer), header));
      await paidOnce();
    });

    test('a settlement refused before a transaction gets 502 with the reason, and another payment may be tried at once (contract/payments)', async () => {
      const gate = gateOf({ payments });
      const session = sessionOf(offer);
      paidChain.facilitator.failNext('settle', { kind: 'refuse', reason: 'insufficient_funds' });
      const answer = await gate(session, await signedHeader(offer));
      expect(answer).toEqual(refusedAs('bad-gateway', 'payment settlement failed: insufficient_funds', false));
      expect(await gate(session)).toEqual(refusedAs('payment-required', 'header is required'));
      await unpaid();
      receiptOf(await gate(session, await signedHeader(offer)));
      await paidOnce();
    });

    test('a settlement refused for a reason that a transaction may have caused remains open: only the same payment continues', async () => {
      const gate = gateOf({ payments });
      const session = sessionOf(offer);
      const header = await signedHeader(offer);
      paidChain.facilitator.failNext('settle', { kind: 'refuse', reason: 'settlement_pending' });
      expect(await gate(session, header)).toEqual(
        refusedAs('bad-gateway', 'payment settlement failed: settlement_pending; the outcome', true),
      );
      const before = settles();
      for (const other of [undefined, await signedHeader(offer)])
        expect(await gate(session, other)).toEqual(refusedAs('bad-gateway', 'not known yet', true));
      expect(settles()).toBe(before);
      receiptOf(await gate(session, header));
      await paidOnce();
    });

    test.each(['crash', 'error'] as const)(
      'a facilitator that fails (%s) before settling: the same payment settles later',
      async (kind) => {
        const gate = gateOf({ payments });
        const session = sessionOf(offer);
        const header = await signedHeader(offer);
        paidChain.facilitator.failNext('settle', { kind, when: 'before' });
        expect(await gate(session, header)).toEqual(refusedAs('bad-gateway', 'not known yet', true));
        receiptOf(await gate(session, header));
        await paidOnce();
      },
    );

    test.each(['crash', 'error', 'hang'] as const)(
      'a facilitator that fails (%s) after settling: the chain proves it at once',
      async (kind) => {
        // The time-out is short when the facilitator hangs: the chain has the payment by then, so there is no reason to wait longer.
        const gate = gateOf({ payments, settleTimeoutMs: kind === 'hang' ? 1_000 : 20_000 });
        const session = sessionOf(offer);
        const header = await signedHeader(offer);
        paidChain.facilitator.failNext('settle', { kind, when: 'after' });
        await gate(session, header);
        const receipt = receiptOf(await gate(session, header));
        expect(receipt).toMatchObject({ amount: '100', payTo, transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/) });
        await paidOnce();
      },
      30_000,
    );

    test('if a receipt could not be stored, the retry finds the payment on the chain, even without or with another payment', async () => {
      const lost: PaymentStore = { ...payments, settled: () => Promise.reject(new Unavailable('database', 'gone')) };
      for (const retry of ['same', 'none', 'other'] as const) {
        const payee = freshPayee();
        // Addresses may have any letter case, and are reported with their EIP-55 checksum (contract/conventions).
        const asked = paidChain.offer(payee.toLowerCase());
        const session = sessionOf(asked);
        const header = await signedHeader(asked);
        await expect(gateOf({ payments: lost })(session, header)).rejects.toThrow(Unavailable);
        const again = { same: header, none: undefined, other: await signedHeader(asked) }[retry];
        const receipt = receiptOf(await gateOf({ payments })(session, again));
        expect(receipt).toMatchObject({ payer: devAccount(0).address, payTo: payee, asset: paidChain.token });
        expect(await paidChain.received(payee)).toBe(price);
      }
    });

    test('an attempt that lost the session charges nothing and settles nothing of an earlier attempt, and the payment is free for another step', async () => {
      const [session, other] = [sessionOf(offer), sessionOf(offer)];
      const header = await signedHeader(offer);
      const takenOver = { ok: false, reason: 'conflict', detail: 'another request', retryable: true } as const;
      const lost = gateOf({ payments, takenOver: async () => takenOver });
      const overtaken = refusedAs('conflict', 'another request', true);
      expect(await lost(session, header)).toEqual(overtaken);
      await unpaid();
      paidChain.facilitator.failNext('settle', { kind: 'crash', when: 'before' });
      expect(await gateOf({ payments })(other, header)).toEqual(refusedAs('bad-gateway', 'not known yet', true));
      const before = settles();
      expect(await lost(other, header)).toEqual(overtaken);
      expect(settles()).toBe(before);
      await unpaid();
      receiptOf(await gateOf({ payments })(other, header));
      await paidOnce();
    });

    test('a payment whose outcome neither facilitator nor network can report remains open, and no other payment is charged', async () => {
      const gate = gateOf({ payments, ledger: noLedger });
      const session = sessionOf(offer);
      const header = await signedHeader(offer);
      paidChain.facilitator.failNext('settle', { kind: 'crash', when: 'after' });
      for (const each of [header, header, await signedHeader(offer), undefined])
        expect(await gate(session, each)).toEqual(refusedAs('bad-gateway', 'not known yet', true));
      await paidOnce();
      // Now a facilitator is configured.
      receiptOf(await gateOf({ payments })(session));
    });

    test('the receipt of an earlier settlement is found by its step, on the chain and then in the database, without a charge', async () => {
      const session = sessionOf(offer);
      const step = { sessionId: session.sessionId, stateVersion: session.stateVersion, stepId: session.step.stepId };
      expect(await openGate({ payments }).findReceipt(step)).toBeUndefined();
      paidChain.facilitator.failNext('settle', { kind: 'crash', when: 'after' });
      await gateOf({ payments, ledger: noLedger })(session, await signedHeader(offer));
      expect(await openGate({ payments, ledger: noLedger }).findReceipt(step)).toBeUndefined();
      const found = await openGate({ payments, facilitatorUrl: null }).findReceipt(step);
      expect(found).toMatchObject({ ok: true, receipt: { payer: devAccount(0).address, amount: String(price) } });
      expect(await openGate({ payments, facilitatorUrl: null, ledger: noLedger }).findReceipt(step)).toEqual(found);
      expect(await openGate({ payments }).findReceipt({ ...step, stateVersion: 2 })).toBeUndefined();
      await paidOnce();
    });

    test('a refusal by the facilitator is ignored if an earlier attempt is open or the nonce is used on the chain', async () => {
      const refusal = { kind: 'refuse', reason: 'insufficient_funds' } as const;
      const [early, session] = [sessionOf(offer), sessionOf(offer)];
      const [earlyHeader, header] = [await signedHeader(offer), await signedHeader(offer)];
      // The first attempt crashes before it settles, and the chain cannot be read.
      paidChain.facilitator.failNext('settle', { kind: 'crash', when: 'before' }, refusal);
      const gate = gateOf({ payments, ledger: noLedger });
      for (const _ of ['crash', 'refusal'])
        expect(await gate(early, earlyHeader)).toEqual(refusedAs('bad-gateway', 'not known yet', true));
      await unpaid();
      // A facilitator that settles but reports failure, and a chain that does not return its logs.
      const mute: LedgerAccess = (network) => {
        const read = ledger(network);
        return async (method, params) => (method === 'eth_getLogs' ? undefined : read?.(method, params));
      };
      paidChain.facilitator.failNext('settle', { ...refusal, when: 'after' });
      const denied = await gateOf({ payments, ledger: mute })(session, header);
      expect(denied).toEqual(refusedAs('bad-gateway', 'insufficient_funds; the outcome', true));
      await paidOnce();
      receiptOf(await gateOf({ payments })(session));
    });

    test('over random failures and attempts, a step is paid at most once, and has a receipt as soon as it is paid', async () => {
      const fault = fc.constantFrom(
        'none',
        'verify-crash',
        'before',
        'after',
        'refuse',
        'pending',
        'lost',
      ) as fc.Arbitrary<Fault>;
      const attempt = fc.record({ session: fc.nat(1), payment: fc.nat(2), fault, twice: fc.boolean() });
      await fc.assert(
        fc.asyncProperty(fc.array(attempt, { minLength: 1, maxLength: 7 }), async (attempts) => {
          const world = await startWorld();
          for (const each of attempts) await world.attempt(each);
          await world.end();
        }),
        { numRuns: testRounds({ short: 2, long: engine === 'SQLite' ? 6 : 4 }) },
      );
    }, 240_000);

    type Fault = 'none' | 'verify-crash' | 'before' | 'after' | 'refuse' | 'pending' | 'lost';
    type Attempt = {
      readonly session: number;
      readonly payment: number;
      readonly fault: Fault;
      readonly twice: boolean;
    };

    /** Two sessions with one payee each, and three payments for each session. */
    async function startWorld() {
      const { facilitator } = paidChain;
      const places = await Promise.all(
        [0, 1].map(async () => {
          const payee = freshPayee();
          const asked = paidChain.offer(payee);
          const headers = await Promise.all([0, 1, 2].map(() => signedHeader(asked)));
          return { payee, session: sessionOf(asked), headers };
        }),
      );
      const fail: Record<Fault, () => unknown> = {
        none: () => undefined,
        lost: () => undefined,
        'verify-crash': () => facilitator.failNext('verify', { kind: 'crash', when: 'before' }),
        before: () => facilitator.failNext('settle', { kind: 'crash', when: 'before' }),
        after: () => facilitator.failNext('settle', { kind: 'error', when: 'after' }),
        refuse: () => facilitator.failNext('settle', { kind: 'refuse', reason: 'insufficient_funds' }),
        pending: () => facilitator.failNext('settle', { kind: 'refuse', reason: 'settlement_pending' }),
      };
      const losing: PaymentStore = { ...payments, settled: () => Promise.reject(new Unavailable('database', 'gone')) };
      const check = async (ended: boolean) => {
        for (const { payee, session } of places) {
          const taken = await paidChain.received(payee);
          expect(taken <= price).toBe(true);
          const { sessionId, stateVersion, step } = session;
          const record = await payments.find({ sessionId, stateVersion, stepId: step.stepId });
          if (record?.status === 'settled') expect(taken).toBe(price);
          if (ended) expect(record).toMatchObject({ status: 'settled' });
        }
      };
      return {
        async attempt({ session, payment, fault, twice }: Attempt) {
          facilitator.heal();
          fail[fault]();
          const place = places[session];
          const gate = gateOf({ payments: fault === 'lost' ? losing : payments });
          const tries = Array.from({ length: twice ? 2 : 1 }, () =>
            gate(place?.session as PayableSession, place?.headers[payment]),
          );
          await Promise.allSettled(tries);
          await check(false);
        },
        async end() {
          facilitator.heal();
          const gate = gateOf({ payments });
          for (const { session, headers } of places) for (const header of headers) await gate(session, header);
          await check(true);
        },
      };
    }
  });
});

test('an expired payment that is unused on the chain can be replaced by another, but not within a minute of its expiry', async () => {
  const own = await startPaidChain();
  const reading = ledgerOn(own.chain.url);
  try {
    await expireAndPayAgain(own, reading.ledger);
  } finally {
    reading.close();
    await own.stop();
  }
});

async function expireAndPayAgain(own: PaidChain, reading: LedgerAccess): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'flowgate-payments-'));
  const database = await openSqliteDatabase({
    schema,
    file: join(directory, 'flowgate.db'),
    deadlineMs: 5_000,
    clock: systemClock,
  });
  const payments = createSqlPaymentStore(database);
  const payee = freshPayee();
  const session = sessionOf(own.offer(payee));
  const gate = gateOf({ payments, facilitatorUrl: own.facilitator.url, ledger: reading });
  own.facilitator.failNext('settle', { kind: 'crash', when: 'before' });
  const header = await signedHeader(own.offer(payee));
  expect(await gate(session, header)).toEqual(refusedAs('bad-gateway', 'not known yet', true));
  // Immediately after the expiry, a block that replaces the newest block could still execute the payment.
  await own.rpc('evm_increaseTime', 310);
  await own.rpc('evm_mine');
  expect(await gate(session)).toEqual(refusedAs('bad-gateway', 'not known yet', true));
  await own.rpc('evm_increaseTime', 120);
  await own.rpc('evm_mine');
  expect(await gate(session)).toEqual(refusedAs('payment-required', 'header is required'));
  expect(await own.received(payee)).toBe(0n);
  await database.close();
  rmSync(directory, { recursive: true });
}
