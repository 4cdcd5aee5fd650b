/** The guarantees of `wallets/wallet-store.ts` as tests for every engine. */

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { AuditNote } from '../audit/audit-note.ts';
import type { ChallengeRecord, WalletRecord, WalletStore } from './wallet-store.ts';

export type OpenedWallets = {
  readonly store: WalletStore;
  /** A second connection to the same storage, as from another process. */
  readonly other: WalletStore;
  /** The actions and targets in the audit log, oldest first. */
  readonly audited: () => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
};

const address = (at: number) => `0x${at.toString(16).padStart(40, '0')}`;
const note = (action: 'wallet.linked' | 'wallet.unlinked', target: string): AuditNote => ({
  ...{ actor: { userId: 'alice', via: 'token', requestId: 'r' }, action, target, details: {} },
});
let ids = 0;

function challenge(change: Partial<ChallengeRecord> = {}): ChallengeRecord {
  ids += 1;
  const defaults = { userId: 'alice', address: address(1), chainId: 1, createdAtMs: 1_000, expiresAtMs: 601_000 };
  return { nonce: `nonce${String(ids).padStart(6, '0')}`, ...defaults, ...change };
}

function wallet(change: Partial<WalletRecord> = {}): WalletRecord {
  ids += 1;
  const defaults = { userId: 'alice', address: address(1), kind: 'account', chainId: 1, createdAtMs: 2_000 } as const;
  return { walletId: `wal_${String(ids).padStart(26, '0')}`, ...defaults, ...change };
}

export function walletStoreContract(engine: string, open: () => Promise<OpenedWallets>): void {
  describe(`wallets on ${engine}`, () => {
    let opened: OpenedWallets;
    let store: WalletStore;
    beforeEach(async () => {
      opened = await open();
      ({ store } = opened);
    });
    afterEach(() => opened.close());

    const terms = (nonce: string, change = {}) => ({
      ...{ nonce, limit: 20, nowMs: 2_000, note: note('wallet.linked', nonce), ...change },
    });
    /** Links a wallet with a new challenge. */
    async function linkNew(change: Partial<WalletRecord> = {}, through = store, limit = 20) {
      const record = wallet(change);
      const { userId, address: of } = record;
      const asked = challenge({ userId, address: of });
      await store.insertChallenge(asked, 100);
      return { record, outcome: await through.link(record, terms(asked.nonce, { limit })) };
    }

    test('only its user finds a linked wallet or a challenge, with all members', async () => {
      const asked = challenge();
      await store.insertChallenge(asked, 20);
      expect(await opened.other.findChallenge('alice', asked.nonce)).toEqual(asked);
      expect(await store.findChallenge('bob', asked.nonce)).toBeUndefined();
      expect(await store.findChallenge('alice', 'none')).toBeUndefined();
      const record = wallet({ label: 'Treasury', kind: 'contract', chainId: 31337 });
      expect(await store.link(record, terms(asked.nonce))).toBe('linked');
      expect(await opened.other.find('alice', address(1))).toEqual(record);
      expect(await store.find('bob', address(1))).toBeUndefined();
      expect(await store.findChallenge('alice', asked.nonce)).toEqual({ ...asked, spentAtMs: 2_000 });
      expect(await opened.audited()).toEqual([`wallet.linked ${asked.nonce}`]);
    });

    test('a nonce links once, for its user and address, before its expiry; other attempts change nothing and are not logged', async () => {
      const asked = challenge();
      await store.insertChallenge(asked, 20);
      expect(await store.link(wallet({ userId: 'bob' }), terms(asked.nonce))).toBe('spent');
      expect(await store.link(wallet({ address: address(2) }), terms(asked.nonce))).toBe('spent');
      expect(await store.link(wallet(), terms('none'))).toBe('spent');
      expect(await store.link(wallet(), terms(asked.nonce, { nowMs: 601_000 }))).toBe('spent');
      expect(await store.link(wallet(), terms(asked.nonce, { limit: 0 }))).toBe('full');
      expect(await store.findChallenge('alice', asked.nonce)).toEqual(asked);
      expect(await opened.audited()).toEqual([]);
      expect(await store.link(wallet(), terms(asked.nonce, { nowMs: 600_999 }))).toBe('linked');
      expect(await store.unlink('alice', address(1), note('wallet.unlinked', 'a'))).toBe(true);
      expect(await store.link(wallet(), terms(asked.nonce))).toBe('spent');
      expect(await store.find('alice', address(1))).toBeUndefined();
    });

    test('of many concurrent links with one nonce, one succeeds', async () => {
      for (let round = 0; round < 5; round++) {
        const of = address(100 + round);
        const asked = challenge({ address: of });
        await store.insertChallenge(asked, 20);
        const outcomes = await Promise.all(
          Array.from({ length: 8 }, (_, at) =>
            (at % 2 === 0 ? store : opened.other).link(wallet({ address: of }), terms(asked.nonce)),
          ),
        );
        expect(outcomes.filter((outcome) => outcome === 'linked')).toHaveLength(1);
        expect(outcomes.filter((outcome) => outcome === 'spent')).toHaveLength(7);
      }
      expect(await opened.audited()).toHaveLength(5);
    });

    test('a user can link a wallet once and at most so many wallets, also in a race; other users can link the same wallet', async () => {
      expect((await linkNew()).outcome).toBe('linked');
      expect((await linkNew()).outcome).toBe('already-linked');
      expect((await linkNew({ userId: 'bob' })).outcome).toBe('linked');
      const race = await Promise.all(
        Array.from({ length: 12 }, (_, at) =>
          linkNew({ address: address(10 + at) }, at % 2 === 0 ? store : opened.other, 5),
        ),
      );
      expect(race.filter(({ outcome }) => outcome === 'linked')).toHaveLength(4);
      expect(race.filter(({ outcome }) => outcome === 'full')).toHaveLength(8);
      expect((await store.list('alice', { limit: 100 })).records).toHaveLength(5);
      // A refusal does not spend the nonce: below the limit, the same nonce links the wallet.
      const asked = challenge({ address: address(99) });
      await store.insertChallenge(asked, 100);
      const record = wallet({ address: address(99) });
      expect(await store.link(record, terms(asked.nonce, { limit: 5 }))).toBe('full');
      expect(await store.link(record, terms(asked.nonce, { limit: 6 }))).toBe('linked');
    });

    test('wallets are listed newest first, a page at a time, each once', async () => {
      const records: WalletRecord[] = [];
      for (let at = 0; at < 7; at++)
        records.unshift((await linkNew({ address: address(at), createdAtMs: 1_000 + Math.floor(at / 2) })).record);
      await linkNew({ userId: 'bob' });
      const seen: WalletRecord[] = [];
      let page = await store.list('alice', { limit: 3 });
      for (;;) {
        seen.push(...page.records);
        if (page.next === undefined) break;
        page = await opened.other.list('alice', { limit: 3, after: page.next });
      }
      expect(seen).toEqual(records);
    });

    test('unlinking removes only the link of this user, once, and is logged only if a link was removed', async () => {
      await linkNew();
      await linkNew({ userId: 'bob' });
      const reported = (await opened.audited()).length;
      expect(await store.unlink('carol', address(1), note('wallet.unlinked', 'c'))).toBe(false);
      expect(await store.unlink('alice', address(1), note('wallet.unlinked', 'a'))).toBe(true);
      expect(await opened.other.unlink('alice', address(1), note('wallet.unlinked', 'again'))).toBe(false);
      expect(await store.find('bob', address(1))).toBeDefined();
      expect((await opened.audited()).slice(reported)).toEqual(['wallet.unlinked a']);
    });

    test('the newest challenges of a user are retained, other users’ are not affected, and expired ones are deleted over time', async () => {
      const bobs = challenge({ userId: 'bob', expiresAtMs: 10_000 });
      await store.insertChallenge(bobs, 3);
      const own = Array.from({ length: 6 }, (_, at) => challenge({ createdAtMs: 1_000 + at }));
      for (const each of own) await store.insertChallenge(each, 3);
      const stored = await Promise.all(own.map(({ nonce }) => store.findChallenge('alice', nonce)));
      expect(stored.map((found) => found !== undefined)).toEqual([false, false, false, true, true, true]);
      expect(await store.findChallenge('bob', bobs.nonce)).toEqual(bobs);
      await opened.other.insertChallenge(challenge({ createdAtMs: 10_000 }), 3);
      expect(await store.findChallenge('bob', bobs.nonce)).toBeUndefined();
    });
  });
}
