import { expect, test } from 'bun:test';
import { quietLog } from '../../test/fixtures/quiet-log.ts';
import type { Http1Failure, Http1Reply } from '../platform/http1-reply.ts';
import { watchNode } from './node-health.ts';
import { createNodePool } from './node-pool.ts';

type Scripted = Http1Reply | Http1Failure;

const log = quietLog();
/** No time passes here: what failed rests to the end of the test. */
const deadlines = { arm: () => ({ callback: () => {} }), disarm: () => {} };

/** Nodes that answer from a script, the last entry for ever; `asked` is the order in which they were. */
function poolOf(...scripts: Scripted[][]) {
  const asked: number[] = [];
  const transports = scripts.map((script, nth) => ({
    nodeId: `node-${nth}`,
    send: async (): Promise<Http1Reply> => {
      asked.push(nth);
      const next = script.length > 1 ? script.shift() : script[0];
      if (next === undefined) throw new Error('an empty script');
      return typeof next === 'string'
        ? { ok: false, failure: next, sent: next !== 'connect' && next !== 'overloaded', detail: '' }
        : next;
    },
  }));
  return { pool: createNodePool(transports.map((transport) => watchNode(transport, { log, deadlines }))), asked };
}

const good: Http1Reply = { ok: true, status: 200, body: '{}' };

test('the first healthy node is asked, and no other', async () => {
  const { pool, asked } = poolOf([good], [good]);
  expect(await pool.send('', true)).toEqual({ ok: true, nodeId: 'node-0', status: 200, body: '{}' });
  expect(asked).toEqual([0]);
});

test('the next one is asked when one cannot be connected to, also for a transaction: nothing was sent', async () => {
  const { pool, asked } = poolOf(['connect'], [good]);
  expect((await pool.send('', false)).ok).toBe(true);
  expect(asked).toEqual([0, 1]);
});

test('what may have arrived is sent again where that is harmless', async () => {
  const { pool, asked } = poolOf(['broken'], [good]);
  expect((await pool.send('', true)).ok).toBe(true);
  expect(asked).toEqual([0, 1]);
});

test.each<Http1Failure>(['broken', 'malformed', 'timeout', 'too-large'])(
  'a transaction is never sent to a second node once its bytes left: %s (issue 2)',
  async (failure) => {
    const { pool, asked } = poolOf([failure], [good]);
    expect((await pool.send('', false)).ok).toBe(false);
    expect(asked).toEqual([0]);
  },
);

test('a timeout is the answer: the caller has waited long enough', async () => {
  const { pool, asked } = poolOf(['timeout'], [good]);
  expect(await pool.send('', true)).toEqual({ ok: false, failure: 'timeout', mayHaveArrived: true });
  expect(asked).toEqual([0]);
});

test('when every node rests they are still tried', async () => {
  const { pool, asked } = poolOf(['connect', good], ['connect']);
  expect(await pool.send('', true)).toEqual({ ok: false, failure: 'unreachable', mayHaveArrived: false });
  expect((await pool.send('', true)).ok).toBe(true);
  expect(asked).toEqual([0, 1, 0]);
});

test('a node that failed is asked last until it has answered', async () => {
  const { pool, asked } = poolOf(['connect', good], ['connect', good]);
  await pool.send('', true);
  asked.length = 0;
  await pool.send('', true);
  await pool.send('', true);
  expect(asked).toEqual([0, 0]);
  const second = poolOf(['connect', good], [good]);
  await second.pool.send('', true);
  await second.pool.send('', true);
  expect(second.asked).toEqual([0, 1, 1]);
});

test('a caller is told when a transaction may have arrived although it failed', async () => {
  expect(await poolOf(['broken']).pool.send('', false)).toEqual({
    ok: false,
    failure: 'unreachable',
    mayHaveArrived: true,
  });
  expect(await poolOf(['connect']).pool.send('', false)).toEqual({
    ok: false,
    failure: 'unreachable',
    mayHaveArrived: false,
  });
});

test('a busy node is passed over without resting', async () => {
  const { pool, asked } = poolOf(['overloaded', good], [good]);
  await pool.send('', false);
  await pool.send('', false);
  expect(asked).toEqual([0, 1, 0]);
});
