/** The guarantees of `flow/secrets/secret-mark-store.ts` as tests for every engine. */

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { SecretMarkStore } from './secret-mark-store.ts';

export type OpenedMarks = {
  readonly store: SecretMarkStore;
  /** A second connection to the same storage, like that of another process. */
  readonly other: SecretMarkStore;
  readonly close: () => Promise<void>;
};

const maxStoredMarks = 500;
const alice = { userId: 'alice', appId: 'acme/app' };
const named = (prefix: string, count: number) => Array.from({ length: count }, (_, at) => `${prefix}${at}`);

export function secretMarkStoreContract(engine: string, open: () => Promise<OpenedMarks>): void {
  describe(`marks of secrets on ${engine}`, () => {
    let opened: OpenedMarks;
    let store: SecretMarkStore;
    beforeEach(async () => {
      opened = await open();
      ({ store } = opened);
    });
    afterEach(() => opened.close());

    test('marks belong to a user and an app, newest first, each once', async () => {
      await store.remember(alice, ['a', 'b'], 1, maxStoredMarks);
      await opened.other.remember(alice, ['c'], 2, maxStoredMarks);
      await store.remember({ ...alice, appId: 'acme/other' }, ['d'], 3, maxStoredMarks);
      await store.remember({ ...alice, userId: 'bob' }, ['e'], 3, maxStoredMarks);
      await store.remember(alice, ['a'], 4, maxStoredMarks);
      expect(await opened.other.find('alice', 'acme/app', maxStoredMarks)).toEqual(['a', 'c', 'b']);
      expect(await store.find('bob', 'acme/app', maxStoredMarks)).toEqual(['e']);
      expect(await store.find('bob', 'acme/other', maxStoredMarks)).toEqual([]);
    });

    test('only the newest marks are stored, and marks of other owners are not displaced', async () => {
      await store.remember({ ...alice, userId: 'bob' }, ['bob’s'], 0, maxStoredMarks);
      for (let round = 0; round < 7; round++)
        await store.remember(alice, named(`r${round} `, 100), round, maxStoredMarks);
      const found = await store.find('alice', 'acme/app', maxStoredMarks);
      expect(found).toHaveLength(maxStoredMarks);
      expect(new Set(found.map((mark) => mark.slice(0, 2)))).toEqual(new Set(['r2', 'r3', 'r4', 'r5', 'r6']));
      expect(await store.find('bob', 'acme/app', maxStoredMarks)).toEqual(['bob’s']);
    });

    test('concurrent writes of the same marks in different orders lose none', async () => {
      const marks = named('m', 20);
      await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          (at % 2 === 0 ? store : opened.other).remember(
            alice,
            [...(at % 3 === 0 ? marks : marks.toReversed()), `own ${at}`],
            at,
            maxStoredMarks,
          ),
        ),
      );
      expect(new Set(await store.find('alice', 'acme/app', maxStoredMarks))).toEqual(
        new Set([...marks, ...named('own ', 20)]),
      );
    });
  });
}
