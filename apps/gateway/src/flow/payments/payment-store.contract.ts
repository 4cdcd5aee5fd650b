/** The guarantees of `flow/payments/payment-store.ts` as tests for every engine. */

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { PaymentReceipt } from '@flowgate/client/flow-wire';
import type { PaymentRecord, PaymentStore } from './payment-store.ts';

export type OpenedPayments = {
  readonly store: PaymentStore;
  /** A second connection to the same storage, like that of another process. */
  readonly other: PaymentStore;
  readonly close: () => Promise<void>;
};

type Reserved = Parameters<PaymentStore['reserve']>[0];

const requirement = { scheme: 'exact', network: 'eip155:1', asset: '0xa', amount: '1', payTo: '0xb' };
const terms = { payer: '0xc', nonce: '0xd', validBefore: '1900000000' };
const receipt: PaymentReceipt = { success: true, transaction: '0xe', network: 'eip155:1', payer: '0xc' };
const step = { sessionId: 'ses_a', stateVersion: 3, stepId: 'pay' };
const nowMs = 1_800_000_000_000;
let holders = 0;

/** Each payment has its own holder. */
function payment(paymentId: string, more: Partial<Reserved> = {}): Reserved {
  holders += 1;
  return { paymentId, ...step, holder: `holder ${holders}`, requirement, terms, ...more };
}

export function paymentStoreContract(engine: string, open: () => Promise<OpenedPayments>): void {
  describe(`payment store on ${engine}`, () => {
    let opened: OpenedPayments;
    let store: PaymentStore;
    beforeEach(async () => {
      opened = await open();
      store = opened.store;
    });
    afterEach(() => opened.close());

    const begun = async (paymentId: string, more: Partial<Reserved> = {}) => {
      const reserved = payment(paymentId, more);
      await store.reserve(reserved, nowMs);
      expect(await store.beginSettling(paymentId, reserved.holder, 7, nowMs + 1)).toBe(true);
      return reserved;
    };

    test('a payment goes from reserved through settling to settled, as another connection sees it', async () => {
      const reserved = payment('p');
      const record: PaymentRecord = { ...reserved, status: 'reserved', createdAtMs: nowMs, updatedAtMs: nowMs };
      expect(await store.find(step)).toBeUndefined();
      expect(await store.reserve(reserved, nowMs)).toEqual({ kind: 'acquired', record });
      expect(await opened.other.find(step)).toEqual(record);
      expect(await store.beginSettling('p', reserved.holder, 41, nowMs + 5)).toBe(true);
      const settling = { ...record, status: 'settling', fromBlock: 41, updatedAtMs: nowMs + 5 } as const;
      expect(await opened.other.find(step)).toEqual(settling);
      expect(await opened.other.settled('p', receipt, nowMs + 9)).toBe(true);
      expect(await store.find(step)).toEqual({ ...settling, status: 'settled', receipt, updatedAtMs: nowMs + 9 });
    });

    test('a payment without terms and without a known block is stored, too', async () => {
      const { terms: _, ...bare } = payment('p');
      await store.reserve(bare, nowMs);
      expect(await store.beginSettling('p', bare.holder, undefined, nowMs)).toBe(true);
      const found = await store.find(step);
      expect(found).toEqual({ ...bare, status: 'settling', createdAtMs: nowMs, updatedAtMs: nowMs });
    });

    test('a payment that is reserved, settling or settled for one step is refused for every other step', async () => {
      const others = [{ sessionId: 'ses_b' }, { stateVersion: 4 }, { stepId: 'pay-again' }];
      const refusals = async () => {
        for (const other of others)
          expect(await opened.other.reserve(payment('p', other), nowMs)).toEqual({ kind: 'elsewhere' });
        for (const other of others) expect(await store.find({ ...step, ...other })).toBeUndefined();
      };
      const reserved = payment('p');
      await store.reserve(reserved, nowMs);
      await refusals();
      await store.beginSettling('p', reserved.holder, undefined, nowMs);
      await refusals();
      await store.settled('p', receipt, nowMs);
      await refusals();
    });

    test('a settling or settled step accepts no other payment; a reserved step does', async () => {
      const first = payment('p');
      await store.reserve(first, nowMs);
      expect(await opened.other.reserve(payment('q'), nowMs)).toMatchObject({
        kind: 'acquired',
        record: { paymentId: 'q' },
      });
      expect(await store.beginSettling('p', first.holder, undefined, nowMs)).toBe(false);
      expect(await store.find(step)).toMatchObject({ paymentId: 'q', status: 'reserved' });
      const second = await begun('q');
      const occupied = { kind: 'occupied', record: { paymentId: 'q', holder: second.holder } };
      expect(await opened.other.reserve(payment('p'), nowMs)).toMatchObject(occupied);
      await store.settled('q', receipt, nowMs);
      expect(await opened.other.reserve(payment('p'), nowMs)).toMatchObject(occupied);
    });

    test('the latest attempt is the holder of a payment: an earlier attempt can neither settle nor release it', async () => {
      const [early, late] = [payment('p'), payment('p')];
      await store.reserve(early, nowMs);
      expect(await opened.other.reserve(late, nowMs)).toMatchObject({
        kind: 'acquired',
        record: { holder: late.holder },
      });
      expect(await store.beginSettling('p', early.holder, undefined, nowMs)).toBe(false);
      await store.release('p', early.holder);
      expect(await store.beginSettling('p', late.holder, undefined, nowMs)).toBe(true);
      expect(await store.beginSettling('p', late.holder, undefined, nowMs)).toBe(false);
      const later = payment('p');
      expect(await opened.other.reserve(later, nowMs)).toMatchObject({
        kind: 'acquired',
        record: { status: 'settling' },
      });
      await store.release('p', late.holder);
      expect(await store.find(step)).toMatchObject({ status: 'settling', holder: later.holder });
    });

    test('a released payment or step can be reserved again; a settled one is never released', async () => {
      const reserved = await begun('p');
      await store.release('p', reserved.holder);
      expect(await store.find(step)).toBeUndefined();
      const elsewhere = payment('p', { sessionId: 'ses_b' });
      expect(await store.reserve(elsewhere, nowMs)).toMatchObject({ kind: 'acquired' });
      const other = await begun('q');
      await store.settled('q', receipt, nowMs);
      await store.release('q', other.holder);
      expect(await store.find(step)).toMatchObject({ paymentId: 'q', status: 'settled' });
    });

    test('the first receipt remains, and a settled payment has no holder', async () => {
      const reserved = await begun('p');
      expect(await store.settled('absent', receipt, nowMs)).toBe(false);
      expect(await store.settled('p', receipt, nowMs)).toBe(true);
      expect(await opened.other.settled('p', { ...receipt, transaction: '0xf' }, nowMs + 1)).toBe(true);
      expect(await store.reserve(payment('p'), nowMs + 2)).toMatchObject({
        kind: 'acquired',
        record: { status: 'settled', receipt, holder: reserved.holder, updatedAtMs: nowMs },
      });
    });

    test('of twenty concurrent payments for one step from two processes, one begins to settle', async () => {
      const attempts = Array.from({ length: 20 }, (_, at) => ({ by: at % 2 === 0 ? store : opened.other, at }));
      const begins = await Promise.all(
        attempts.map(async ({ by, at }) => {
          const reserved = payment(`p${at}`);
          const reservation = await by.reserve(reserved, nowMs);
          if (reservation.kind !== 'acquired') return false;
          return await by.beginSettling(reserved.paymentId, reserved.holder, undefined, nowMs);
        }),
      );
      expect(begins.filter(Boolean).length).toBeLessThanOrEqual(1);
      // The next attempt succeeds, unless an earlier one began to settle.
      const last = await store.reserve(payment('last'), nowMs);
      expect(last.kind === 'acquired').toBe(!begins.includes(true));
    });

    test('of twenty steps that concurrently offer one payment from two processes, one reserves it', async () => {
      const reservations = await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          (at % 2 === 0 ? store : opened.other).reserve(payment('p', { sessionId: `ses_${at}` }), nowMs),
        ),
      );
      expect(reservations.filter(({ kind }) => kind === 'acquired')).toHaveLength(1);
      expect(reservations.filter(({ kind }) => kind === 'elsewhere')).toHaveLength(19);
    });
  });
}
