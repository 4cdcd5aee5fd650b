/**
 * Stored data is bounded: ended sessions are removed after a time, and a user has a limited number of active sessions
 * (docs/operate/scale.md, Storage growth).
 */

import { Database as Sqlite } from 'bun:sqlite';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { until } from '@flowgate/testing/until';
import { expectProblem } from '../../apps/gateway/test/fixtures/answers.ts';
import { counter, type FlowAppFixture } from '../../apps/gateway/test/fixtures/flow-app.ts';
import { flowClient } from '../../apps/gateway/test/fixtures/flow-client.ts';
import { type FlowGateway, startFlowGateway } from '../../apps/gateway/test/fixtures/flow-gateway.ts';
import type { RunningGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

let gateway: RunningGateway;
let app: FlowAppFixture;
let stop: FlowGateway['stop'];
let file: Sqlite;

beforeAll(async () => {
  ({ gateway, app, stop } = await startFlowGateway({ flow: { retentionDays: 2, maxActiveSessions: 3 } }));
  file = new Sqlite(gateway.databaseFile);
  file.exec('PRAGMA busy_timeout = 5000');
});
afterAll(async () => {
  file.close();
  await stop();
});

const notFound = { status: 404, type: 'not-found', title: 'Not found', retryable: false };
const conflict = { status: 409, type: 'conflict', title: 'Conflict', retryable: false };
const key = { 'Idempotency-Key': 'later' };
const pathOf = ({ sessionId }: { readonly sessionId: string }) => `/flow/sessions/${sessionId}`;
const rowsOf = (table: string, { sessionId }: { readonly sessionId: string }) =>
  file.query(`SELECT 1 FROM ${table} WHERE session_id = ?`).all(sessionId).length;

test('a session that ended long enough ago is removed with its events and responses; others remain (contract/flow-apps)', async () => {
  const alice = flowClient(gateway, 'alice');
  const old = await alice.finish(await alice.add(await alice.start()));
  const recent = await alice.finish(await alice.add(await alice.start()));
  const active = await alice.add(await alice.start());
  expect([rowsOf('flow_events', old), rowsOf('flow_responses', old)]).toEqual([5, 2]);
  const age = (hours: number, { sessionId }: { readonly sessionId: string }) =>
    file
      .query(
        'UPDATE flow_sessions SET created_at = created_at - ?1, updated_at = updated_at - ?1 WHERE session_id = ?2',
      )
      .run(hours * 3_600_000, sessionId);
  age(47, recent);
  age(1_000, active);
  age(49, old);
  await until('nothing of the session is stored', () => rowsOf('flow_responses', old) === 0, 60_000);
  await until('nothing of its events either', () => rowsOf('flow_events', old) === 0, 60_000);
  await expectProblem(await alice.get(pathOf(old)), notFound);
  await expectProblem(await alice.get(`${pathOf(old)}/events`), notFound);
  await expectProblem(
    await alice.post(`${pathOf(old)}/steps/count`, { actionId: 'add', stateVersion: 3 }, key),
    notFound,
  );
  expect((await alice.get(pathOf(recent))).status).toBe(200);
  expect([rowsOf('flow_events', recent), rowsOf('flow_responses', recent)]).toEqual([5, 2]);
  expect(rowsOf('flow_events', active)).toBe(3);
  expect((await alice.add(active)).stateVersion).toBe(3);
});

test('a start beyond the limit of active sessions is 409, also among concurrent starts, until a session ends', async () => {
  const busy = flowClient(gateway, 'busy');
  app.script(counter);
  const start = () => busy.post('/flow/sessions', { appId: 'acme/counter' });
  const answers = await Promise.all(Array.from({ length: 8 }, start));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(3).fill(201), ...Array(5).fill(409)]);
  const full = answers.filter(({ status }) => status === 409);
  for (const answer of full)
    expect(await expectProblem(answer, conflict)).toBe(
      'You already have 3 active sessions: finish or cancel one of them first.',
    );
  let asked = 0;
  app.script((request) => {
    asked += 1;
    return counter(request);
  });
  await expectProblem(await start(), conflict);
  expect(asked).toBe(0);
  const [one] = answers.filter(({ status }) => status === 201);
  const location = one?.headers.get('location') ?? '';
  expect((await gateway.fetch(location, { method: 'DELETE', headers: busy.headers })).status).toBe(204);
  expect((await start()).status).toBe(201);
  expect((await flowClient(gateway, 'another user').post('/flow/sessions', { appId: 'acme/counter' })).status).toBe(
    201,
  );
});

test('data that only the app needs is deleted when a session ends', async () => {
  const alice = flowClient(gateway, 'tidy');
  const launchContext = { from: 'here' };
  const started = await alice.post('/flow/sessions', { appId: 'acme/counter', launchContext });
  const stored = (id: unknown) =>
    file.query('SELECT state, launch_context AS launched FROM flow_sessions WHERE session_id = ?').get(String(id));
  const session = (await started.json()) as Parameters<typeof alice.finish>[0];
  expect(stored(session.sessionId)).toEqual({ state: '{"count":0}', launched: JSON.stringify(launchContext) });
  await alice.finish(session);
  expect(stored(session.sessionId)).toEqual({ state: '{}', launched: null });
});
