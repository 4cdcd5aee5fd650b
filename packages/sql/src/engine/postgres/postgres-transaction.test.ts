/** How transactions end on one connection, when the server cancels their statements at any time. */

import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { postgresMissing, testPostgres } from '@flowgate/testing/postgres';
import { until } from '@flowgate/testing/until';
import type { Statement } from '../database.ts';
import { readPostgresAddress } from './postgres-address.ts';
import { postgresFault } from './postgres-errors.ts';
import { PostgresSession } from './postgres-session.ts';
import { type Call, readWithin, runTransaction } from './postgres-transaction.ts';

const plain = (text: string) => ({ text, values: [] });
/** The shortest time limit of a statement, which the server then often meets between two statements. */
const call: Call = { deadlineMs: 1, late: false, onBegin: () => {}, onCommit: () => {} };

describe.skipIf(postgresMissing !== undefined)('PostgreSQL', () => {
  let url: string;
  let session: PostgresSession;
  const open = () => PostgresSession.open({ address: readPostgresAddress(url), connectTimeoutMs: 10_000 });
  beforeAll(async () => {
    url = await (await testPostgres()).freshDatabase();
  });
  beforeEach(async () => {
    session = await open();
  });
  afterEach(() => session.close('the test is over'));

  test('COMMIT distinguishes a transaction that was rolled back from one that was committed', async () => {
    await session.send(plain('BEGIN'));
    expect(await session.commit()).toBe(true);
    await session.send(plain('BEGIN'));
    const [failed] = await Promise.allSettled([session.send(plain('SELECT 1 / 0'))]);
    expect(failed?.status).toBe('rejected');
    expect(await session.commit()).toBe(false);
  });

  test('statements of an aborted transaction count as lost: nothing was done, and the connection cannot be used', async () => {
    await session.send(plain('BEGIN'));
    const sent = [session.send(plain('SELECT 1 / 0')), session.send(plain('SELECT 1'))];
    const faults = (await Promise.allSettled(sent)).map((each) => 'reason' in each && postgresFault(each.reason));
    expect(faults).toEqual(['bug', 'lost']);
  });

  test('a commit that is cancelled leaves no connection with an open transaction', async () => {
    await session.send(plain('CREATE TABLE committed (at INT)'));
    const ends = new Set<string>();
    // Enough work to take about the time limit, so that in some rounds the server cancels the commit.
    let rows = 4_000;
    await until(
      'a commit is cancelled',
      async () => {
        const work = plain(`SELECT COUNT(*) FROM generate_series(1, ${Math.round(rows)})`);
        const { end } = await runTransaction(session, call, [work, work, work], {});
        ends.add(end);
        rows *= end === 'rolled back' ? 0.98 : 1.02;
        if (session.isOpen) expect(await session.send(plain('SELECT 1 AS one'))).toEqual([{ one: 1 }]);
        else session = await open();
        return end === 'unknown';
      },
      60_000,
      0,
    );
    expect([...ends]).toContain('unknown');
  });

  test('when BEGIN fails, statements that were sent after it write nothing', async () => {
    await session.send(plain('CREATE TABLE written (at INT)'));
    await session.writeOnlyInTransactions();
    const patient = { ...call, deadlineMs: 10_000 };
    const withoutBegin: PostgresSession = Object.create(session, {
      begin: { value: 'SELECT 1 / 0' },
      send: { value: (each: Statement) => session.send(each) },
    });
    const insert = plain('INSERT INTO written (at) VALUES (1)');
    const { end, error } = await runTransaction(withoutBegin, patient, [insert], {});
    expect([end, error]).toEqual(['rolled back', expect.anything()]);
    expect(await session.send(plain('SELECT at FROM written'))).toEqual([]);
    expect((await runTransaction(session, patient, [insert], {})).end).toBe('committed');
    expect(await session.send(plain('SELECT at FROM written'))).toEqual([{ at: 1 }]);
  });

  test('a cancelled read or commit leaves no open transaction', async () => {
    let rows = 4_000;
    const ends = { answered: 0, cancelled: 0 };
    await until(
      'reads were answered and cancelled',
      async () => {
        const work = plain(`SELECT COUNT(*) FROM generate_series(1, ${Math.round(rows)})`);
        const [read] = await Promise.allSettled([readWithin(session, call, work)]);
        if (read?.status === 'fulfilled') ends.answered += 1;
        else expect(postgresFault(read?.reason)).toBe('late');
        if (read?.status === 'rejected') ends.cancelled += 1;
        rows *= read?.status === 'fulfilled' ? 1.02 : 0.98;
        if (session.isOpen) expect(await session.send(plain('SELECT 1 AS one'))).toEqual([{ one: 1 }]);
        else session = await open();
        return ends.answered > 100 && ends.cancelled > 100;
      },
      60_000,
      0,
    );
    expect(ends.answered).toBeGreaterThan(0);
  });
});
