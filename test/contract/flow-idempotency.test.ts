/** Idempotency of step submission over HTTP (contract/sessions#idempotency). */

import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import type { Session } from '@flowgate/client/flow-wire';
import { until } from '@flowgate/testing/until';
import { expectCommonHeaders, expectProblem, jsonBody } from '../../apps/gateway/test/fixtures/answers.ts';
import { openRaw } from '../../apps/gateway/test/fixtures/checked-raw-http.ts';
import { counter, type FlowAppFixture } from '../../apps/gateway/test/fixtures/flow-app.ts';
import { flowClient } from '../../apps/gateway/test/fixtures/flow-client.ts';
import { type FlowGateway, startFlowGateway } from '../../apps/gateway/test/fixtures/flow-gateway.ts';
import type { RunningGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import { openSqliteConnection } from '../../apps/gateway/test/fixtures/sqlite-connection.ts';

let gateway: RunningGateway;
let app: FlowAppFixture;
let stop: FlowGateway['stop'];

beforeAll(async () => {
  ({ gateway, app, stop } = await startFlowGateway({ flow: { leaseSeconds } }));
});
afterAll(() => stop());
beforeEach(() => app.script(counter));

const badRequest = { status: 400, type: 'bad-request', title: 'Bad request', retryable: false };
/** Long, so that no lease expires during a test. */
const leaseSeconds = 600;
const conflict = { status: 409, type: 'conflict', title: 'Conflict', retryable: false };
const unknownSession = 'ses_01ARZ3NDEKTSV4RRFFQ69G5FAV';

const start = (sub = 'alice') => flowClient(gateway, sub).start();
const pathOf = (sessionId: string, stepId = 'count') => `/flow/sessions/${sessionId}/steps/${stepId}`;
const bodyOf = (more: object = {}) => ({ actionId: 'add', fieldValues: { amount: 1 }, stateVersion: 1, ...more });
const submit = (session: Pick<Session, 'sessionId'>, key: string, more: object = {}, sub = 'alice', stepId = 'count') =>
  flowClient(gateway, sub).post(pathOf(session.sessionId, stepId), bodyOf(more), { 'Idempotency-Key': key });
/** The number of app calls in a session, including its start. */
const askedIn = (session: Session) =>
  app.requests.filter((each) => each.session.sessionId === session.sessionId).length;

/** Sends exactly these header lines. */
async function rawSubmit(sessionId: string, lines: string): Promise<Response> {
  const connection = await openRaw(gateway.port);
  const body = JSON.stringify(bodyOf());
  connection.send(
    Buffer.from(
      `POST ${pathOf(sessionId)} HTTP/1.1\r\nHost: gateway\r\nAuthorization: Bearer ${gateway.token('alice')}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n${lines}\r\n${body}`,
      'latin1',
    ),
  );
  const answer = await connection.next();
  connection.close();
  return new Response(answer?.body ?? null, { status: answer?.status ?? 599, headers: answer?.headers ?? {} });
}

test('the header is required once, with 1 to 256 printable characters: each violation is 400 with its message, before the session is looked up (contract/sessions#idempotency)', async () => {
  const session = await start();
  for (const [lines, says] of [
    ['', 'is required'],
    ['Idempotency-Key:\r\n', 'is required'],
    ['Idempotency-Key:    \r\n', 'is required'],
    [`Idempotency-Key: ${'k'.repeat(257)}\r\n`, '1 to 256'],
    ['Idempotency-Key: caf\u00e9\r\n', 'printable ASCII'],
    ['Idempotency-Key: a\tb\r\n', 'printable ASCII'],
    ['Idempotency-Key: one\r\nIdempotency-Key: two\r\n', 'once'],
    ['Idempotency-Key: same\r\nIdempotency-Key: same\r\n', 'once'],
    ['Idempotency-Key: one, two\r\n', 'once'],
  ] as const)
    for (const sessionId of [session.sessionId, unknownSession])
      expect([lines, await expectProblem(await rawSubmit(sessionId, lines), badRequest)]).toEqual([
        lines,
        expect.stringContaining(says),
      ]);
  expect((await rawSubmit(session.sessionId, `idempotency-key: ${'k'.repeat(256)}\r\n`)).status).toBe(200);
  expect(askedIn(session)).toBe(2);
});

test('other control characters do not reach the app, whether the runtime or the gateway refuses them', async () => {
  const session = await start();
  for (const odd of ['\u0001', '\u0000', '\u007f', '\u001b']) {
    const { status } = await rawSubmit(session.sessionId, `Idempotency-Key: a${odd}b\r\n`);
    // The runtime's parser may refuse it by closing the connection.
    expect([odd, status === 400 || status === 599]).toEqual([odd, true]);
  }
  expect(askedIn(session)).toBe(1);
});

test('an invalid body is 400 before the session is looked up (contract/sessions#idempotency)', async () => {
  expect(
    await expectProblem(await submit({ sessionId: unknownSession }, 'k', { stateVersion: 'x' }), badRequest),
  ).toContain('stateVersion');
  await expectProblem(await submit({ sessionId: unknownSession }, 'k'), {
    ...conflict,
    status: 404,
    type: 'not-found',
    title: 'Not found',
  });
});

test('a repeated key returns the stored response unchanged and marked, for any request content, and nothing runs (contract/sessions#idempotency)', async () => {
  const session = await start();
  const first = await submit(session, 'once');
  const text = await first.text();
  expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([200, null]);
  const repeats = [
    await submit(session, 'once'),
    await submit(session, 'once', { actionId: 'finish', fieldValues: { amount: 9 }, stateVersion: 77 }),
    await submit(session, 'once', {}, 'alice', 'unknown'),
  ];
  for (const repeat of repeats) {
    expect([repeat.status, await repeat.text(), repeat.headers.get('idempotency-replayed')]).toEqual([
      200,
      text,
      'true',
    ]);
    expect(repeat.headers.get('content-type')).toBe('application/json');
    expectCommonHeaders(repeat);
  }
  expect(askedIn(session)).toBe(2);
  // A session that has continued, ended, or lost its version still returns it.
  expect((await submit(session, 'end', { actionId: 'finish', stateVersion: 2 })).status).toBe(200);
  expect(await (await submit(session, 'once')).text()).toBe(text);
  await expectProblem(await submit(session, 'new', { stateVersion: 3 }), conflict);
  expect(askedIn(session)).toBe(3);
});

test('a stored response is only returned for its own session and user (contract/sessions#idempotency)', async () => {
  const [mine, second, theirs] = [await start(), await start(), await start('bob')];
  for (const [session, sub] of [
    [mine, 'alice'],
    [second, 'alice'],
    [theirs, 'bob'],
  ] as const) {
    const response = await submit(session, 'shared', {}, sub);
    expect([response.status, response.headers.has('idempotency-replayed')]).toEqual([200, false]);
  }
  expect((await submit(mine, 'shared', {}, 'bob')).status).toBe(404);
  const keys = app.requests
    .filter(({ submission }) => submission !== undefined)
    .slice(-3)
    .map(({ submission }) => submission?.idempotencyKey);
  expect(new Set(keys).size).toBe(3);
});

test('a token and an API key of one user are the same submitter', async () => {
  const session = await start('keyed');
  const { apiKey } = await gateway.mint('keyed');
  const byToken = await submit(session, 'k', {}, 'keyed');
  const byKey = await gateway.fetch(pathOf(session.sessionId), {
    method: 'POST',
    headers: { 'X-API-Key': apiKey, 'Idempotency-Key': 'k' },
    body: JSON.stringify(bodyOf()),
  });
  expect([byKey.headers.get('idempotency-replayed'), await byKey.text()]).toEqual(['true', await byToken.text()]);
});

test('a hundred identical concurrent submissions call the app once; each ends with the same response or a retryable conflict (contract/sessions#idempotency)', async () => {
  const session = await start();
  const responses = await Promise.all(Array.from({ length: 100 }, () => submit(session, 'hundred')));
  const bodies = new Set<string>();
  for (const response of responses) {
    if (response.status === 200) bodies.add(await response.text());
    else await expectProblem(response, { ...conflict, retryable: true });
  }
  expect(bodies.size).toBe(1);
  expect(
    responses.filter(({ status, headers }) => status === 200 && !headers.has('idempotency-replayed')),
  ).toHaveLength(1);
  expect(askedIn(session)).toBe(2);
  const again = await Promise.all(Array.from({ length: 100 }, async () => (await submit(session, 'hundred')).text()));
  expect(new Set(again)).toEqual(bodies);
  expect(askedIn(session)).toBe(2);
});

test('a second submission while one runs is a retryable conflict, in this session only (contract/sessions#idempotency)', async () => {
  const [session, free] = [await start(), await start()];
  const gate = Promise.withResolvers<void>();
  app.script(async (request) => {
    if (request.session.sessionId === session.sessionId) await gate.promise;
    return counter(request);
  });
  const arriving = app.nextArrival();
  const running = submit(session, 'slow');
  await arriving;
  for (const key of ['slow', 'other'])
    await expectProblem(await submit(session, key), { ...conflict, retryable: true });
  expect((await submit(free, 'slow')).status).toBe(200);
  gate.resolve();
  expect((await running).status).toBe(200);
  expect((await submit(session, 'slow')).headers.get('idempotency-replayed')).toBe('true');
  // Afterwards the conflict differs: a new key with the old state.
  await expectProblem(await submit(session, 'other'), conflict);
});

test('a failed submission runs again with its key, and the app receives the same derived key (contract/sessions#idempotency)', async () => {
  const session = await start();
  const failures = [
    () => new Response('x', { status: 500 }),
    () => new Response('x', { status: 422 }),
    () => ({ nonsense: true }),
    () => ({ ...counter({ state: {} } as never), errors: [{ message: 'no' }] }),
  ];
  const statuses: number[] = [];
  for (const failure of failures) {
    app.script(failure);
    statuses.push((await submit(session, 'stubborn')).status);
  }
  expect((await submit(session, 'stubborn', { fieldValues: { amount: -1 } })).status).toBe(400);
  app.script(counter);
  const done = await submit(session, 'stubborn');
  expect([...statuses, done.status]).toEqual([502, 502, 502, 400, 200]);
  expect(done.headers.has('idempotency-replayed')).toBe(false);
  const keys = app.requests
    .filter((each) => each.session.sessionId === session.sessionId)
    .flatMap(({ submission }) => submission?.idempotencyKey ?? []);
  expect(new Set(keys).size).toBe(1);
  const { data } = await jsonBody(await flowClient(gateway).get(`/flow/sessions/${session.sessionId}/events`));
  expect((data as { type: string }[]).map(({ type }) => type)).toEqual([
    'session_created',
    'step_submitted',
    'counted',
  ]);
});

test('while the database accepts no writes, the response is 503, the app is not called, and the same key works afterwards (contract/sessions#idempotency)', async () => {
  const session = await start();
  const stored = await submit(session, 'stored');
  const text = await stored.text();
  const file = openSqliteConnection(gateway.databaseFile);
  file.exec('BEGIN IMMEDIATE');
  const unavailable = { status: 503, type: 'service-unavailable', title: 'Service unavailable', retryable: true };
  const { postOnce } = flowClient(gateway);
  const during = await postOnce(pathOf(session.sessionId), bodyOf({ stateVersion: 2 }), {
    'Idempotency-Key': 'during',
  });
  await expectProblem(during, unavailable);
  await expectProblem(await postOnce('/flow/sessions', { appId: 'acme/counter' }), unavailable);
  // Stored responses can be read.
  expect(await (await submit(session, 'stored')).text()).toBe(text);
  expect(askedIn(session)).toBe(2);
  file.exec('ROLLBACK');
  file.close();
  await until(
    'the submission goes through',
    async () => (await submit(session, 'during', { stateVersion: 2 })).status === 200,
  );
  expect(askedIn(session)).toBe(3);
});

test('after a step that ended with 503, the session is available again as soon as the database is, long before the lease ends (contract/sessions#idempotency)', async () => {
  const session = await start();
  const file = openSqliteConnection(gateway.databaseFile);
  let isAway = false;
  app.script((request) => {
    // From the moment of the app call, nothing can be written: neither the transition nor the release of the lease.
    if (request.session.sessionId === session.sessionId && !isAway) file.exec('BEGIN IMMEDIATE');
    isAway = true;
    return counter(request);
  });
  const unavailable = { status: 503, type: 'service-unavailable', title: 'Service unavailable', retryable: true };
  const { postOnce } = flowClient(gateway);
  const ask = () => postOnce(pathOf(session.sessionId), bodyOf(), { 'Idempotency-Key': 'cut off' });
  await expectProblem(await ask(), unavailable);
  expect(isAway).toBe(true);
  file.exec('ROLLBACK');
  file.close();
  // `until` waits for only a fraction of the lease.
  await until('the session is free', async () => (await ask()).status === 200);
});

test('the header of a start is optional, and otherwise given once and well-formed; a stored response has the same body and Location (contract/sessions#idempotency)', async () => {
  const body = JSON.stringify({ appId: 'acme/counter' });
  const startWith = async (lines: string) => {
    const connection = await openRaw(gateway.port);
    connection.send(
      Buffer.from(
        `POST /flow/sessions HTTP/1.1\r\nHost: gateway\r\nAuthorization: Bearer ${gateway.token('starter')}\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n${lines}\r\n${body}`,
        'latin1',
      ),
    );
    const answer = await connection.next();
    connection.close();
    return new Response(answer?.body ?? null, { status: answer?.status ?? 599, headers: answer?.headers ?? {} });
  };
  for (const lines of [
    'Idempotency-Key: one\r\nIdempotency-Key: two\r\n',
    'Idempotency-Key: same\r\nIdempotency-Key: same\r\n',
    'Idempotency-Key:\r\n',
    `Idempotency-Key: ${'k'.repeat(257)}\r\n`,
    'Idempotency-Key: caf\u00e9\r\n',
  ])
    expect([lines, await expectProblem(await startWith(lines), badRequest)]).toEqual([
      lines,
      expect.stringContaining('Idempotency-Key'),
    ]);
  const first = await startWith('Idempotency-Key: once\r\n');
  const text = await first.text();
  const location = `/flow/sessions/${JSON.parse(text).sessionId}`;
  expect([first.status, first.headers.get('location'), first.headers.has('idempotency-replayed')]).toEqual([
    201,
    location,
    false,
  ]);
  await flowClient(gateway, 'starter').add(JSON.parse(text));
  const again = await startWith('idempotency-key: once\r\n');
  expect([again.status, again.headers.get('location'), again.headers.get('idempotency-replayed')]).toEqual([
    201,
    location,
    'true',
  ]);
  expect(await again.text()).toBe(text);
  const plain = await Promise.all([startWith(''), startWith('')]);
  expect(new Set(plain.map(({ headers }) => headers.get('location'))).size).toBe(2);
});
