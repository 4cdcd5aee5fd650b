/**
 * Sessions of Flow Apps over HTTP: start, steps, reads, lists, cancellation, expiry, queries, and the limit of one
 * session (contract/flow-apps; contract/sessions#life-cycle, contract/limits#what-counts).
 */

import { Database as Sqlite } from 'bun:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { Session } from '@flowgate/client/flow-wire';
import { until } from '@flowgate/testing/until';
import { expectProblem, jsonBody, limitsOf } from '../../apps/gateway/test/fixtures/answers.ts';
import {
  counter,
  countStep,
  type FlowAppFixture,
  publishFlowApp,
  reachesLoopback,
} from '../../apps/gateway/test/fixtures/flow-app.ts';
import { flowClient } from '../../apps/gateway/test/fixtures/flow-client.ts';
import { type FlowGateway, startFlowGateway } from '../../apps/gateway/test/fixtures/flow-gateway.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

const sessionLimit = 20;
let gateway: RunningGateway;
let app: FlowAppFixture;
let stop: FlowGateway['stop'];

beforeAll(async () => {
  ({ gateway, app, stop } = await startFlowGateway({
    limits: { userPerMinute: 100_000, sessionPerMinute: sessionLimit },
    flow: { renderTimeoutSeconds: 0.5 },
  }));
});
afterAll(() => stop());
beforeEach(() => app.script(counter));

const problems = {
  badRequest: { status: 400, type: 'bad-request', title: 'Bad request', retryable: false },
  notFound: { status: 404, type: 'not-found', title: 'Not found', retryable: false },
  conflict: { status: 409, type: 'conflict', title: 'Conflict', retryable: false },
  gone: { status: 410, type: 'gone', title: 'Gone', retryable: false },
  badGateway: { status: 502, type: 'bad-gateway', title: 'Bad gateway', retryable: false },
};
const isoForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const sessionsPath = '/flow/sessions';

let keys = 0;
function submit(
  session: Pick<Session, 'sessionId' | 'stateVersion'>,
  body: object = {},
  stepId = 'count',
  sub = 'alice',
) {
  keys += 1;
  return flowClient(gateway, sub).post(
    `${sessionsPath}/${session.sessionId}/steps/${stepId}`,
    { actionId: 'add', fieldValues: { amount: 1 }, stateVersion: session.stateVersion, ...body },
    { 'Idempotency-Key': `wire-${keys}` },
  );
}
const cancel = (sessionId: string, sub = 'alice') =>
  gateway.fetch(`${sessionsPath}/${sessionId}`, { method: 'DELETE', headers: flowClient(gateway, sub).headers });
const alice = () => flowClient(gateway);

describe('start', () => {
  test('a start is 201 with Location and exactly the members of a session (contract/sessions#life-cycle)', async () => {
    const response = await alice().post(sessionsPath, { appId: 'acme/counter' });
    const session = await jsonBody(response);
    expect(response.status).toBe(201);
    expect(session).toEqual({
      sessionId: expect.stringMatching(/^ses_[0-9A-HJKMNP-TV-Z]{26}$/),
      appId: 'acme/counter',
      version: '1.0.0',
      status: 'active',
      stateVersion: 1,
      currentStep: { ...countStep(0) },
      createdAt: expect.stringMatching(isoForm),
      updatedAt: session['createdAt'],
      expiresAt: new Date(Date.parse(String(session['createdAt'])) + 86_400_000).toISOString(),
    });
    expect(response.headers.get('location')).toBe(`${sessionsPath}/${session['sessionId']}`);
    const found = await alice().get(`${sessionsPath}/${session['sessionId']}`);
    expect([found.status, await jsonBody(found)]).toEqual([200, session]);
  });

  test('the app receives the data of a start, but no user id of the gateway (contract/sessions#life-cycle)', async () => {
    const arriving = app.nextArrival();
    const launchContext = { from: 'https://example.org', nested: [{ ü: null }] };
    const { sessionId } = await jsonBody(await alice().post(sessionsPath, { appId: 'acme/counter', launchContext }));
    expect(await arriving).toEqual({
      protocolVersion: '1',
      requestId: expect.any(String),
      reason: 'start',
      session: {
        sessionId: String(sessionId),
        appId: 'acme/counter',
        version: '1.0.0',
        stateVersion: 0,
        userId: expect.not.stringContaining('alice'),
      },
      stepId: 'count',
      launchContext,
      state: {},
      appData: expect.any(Object),
    });
    const stepping = app.nextArrival();
    await submit({ sessionId: String(sessionId), stateVersion: 1 });
    expect((await stepping).submission?.idempotencyKey).not.toContain('wire-');
    expect(await stepping).toMatchObject({
      reason: 'submit',
      stepId: 'count',
      launchContext,
      state: { count: 0 },
      session: { stateVersion: 1 },
      submission: {
        stepId: 'count',
        actionId: 'add',
        fieldValues: { amount: 1 },
        idempotencyKey: expect.stringMatching(/^[\w-]{43}$/),
      },
    });
    expect(app.unsigned()).toBe(0);
  });

  test('an app receives the same id for a user in every session, and different ids for different users; another app receives other ids', async () => {
    await publishFlowApp(gateway, app, { appId: 'acme/second' });
    const userOf = async (sub: string, appId: string) => {
      const arriving = app.nextArrival();
      await flowClient(gateway, sub).start(appId);
      return (await arriving).session.userId;
    };
    const [first, again, other, elsewhere] = [
      await userOf('alice', 'acme/counter'),
      await userOf('alice', 'acme/counter'),
      await userOf('bob', 'acme/counter'),
      await userOf('alice', 'acme/second'),
    ];
    expect(again).toBe(first);
    expect(new Set([first, other, elsewhere]).size).toBe(3);
  });

  test('a session can start at any declared start step, and at no other (contract/sessions#life-cycle)', async () => {
    await publishFlowApp(gateway, app, {
      appId: 'acme/doors',
      startSteps: ['count', 'other'],
      steps: [{ stepId: 'count' }, { stepId: 'other' }, { stepId: 'done' }],
    });
    app.script((request) => ({ step: { ...countStep(0), stepId: request.stepId } }));
    const started = await alice().post(sessionsPath, { appId: 'acme/doors', startStepId: 'other' });
    expect([started.status, await jsonBody(started)]).toEqual([
      201,
      expect.objectContaining({ currentStep: expect.objectContaining({ stepId: 'other' }) }),
    ]);
    for (const startStepId of ['done', 'unknown'])
      expect(
        await expectProblem(
          await alice().post(sessionsPath, { appId: 'acme/doors', startStepId }),
          problems.badRequest,
        ),
      ).toContain('startStepId');
  });

  test('an invalid body is 400 and names the member (contract/conventions)', async () => {
    const bodies: readonly [object, string][] = [
      [[], 'object'],
      [{}, 'appId'],
      [{ appId: null }, 'appId'],
      [{ appId: 7 }, 'appId'],
      [{ appId: 'no-slash' }, 'appId'],
      [{ appId: 'acme/counter', version: 1 }, 'version'],
      [{ appId: 'acme/counter', version: 'latest' }, 'version'],
      [{ appId: 'acme/counter', startStepId: {} }, 'startStepId'],
      [{ appId: 'acme/counter', launchContext: [] }, 'launchContext'],
      [{ appId: 'acme/counter', launchContext: 'x' }, 'launchContext'],
      [{ appId: 'acme/counter', launchContext: { x: 'y'.repeat(65_536) } }, 'launchContext'],
    ];
    for (const [body, name] of bodies)
      expect(await expectProblem(await alice().post(sessionsPath, body), problems.badRequest)).toContain(name);
    const nulls = { appId: 'acme/counter', version: null, startStepId: null, launchContext: null, unknown: 1 };
    expect((await alice().post(sessionsPath, nulls)).status).toBe(201);
  });

  test('unknown and private apps are 404, a retired version is 410, also in a running session (contract/errors#problemdetails)', async () => {
    await publishFlowApp(gateway, app, { appId: 'acme/private', visibility: 'private' });
    const start = async (body: object) => alice().post(sessionsPath, body);
    await expectProblem(await start({ appId: 'acme/unknown' }), problems.notFound);
    await expectProblem(await start({ appId: 'acme/private' }), problems.notFound);
    await expectProblem(await start({ appId: 'acme/counter', version: '9.9.9' }), problems.notFound);
    expect((await flowClient(gateway, 'publisher').start('acme/private')).status).toBe('active');
    await publishFlowApp(gateway, app, { appId: 'acme/old' });
    const running = await alice().start('acme/old');
    const publisher = flowClient(gateway, 'publisher');
    expect((await publisher.post('/flow/registry/apps/acme/old/versions/1.0.0/retire', {})).status).toBe(200);
    await expectProblem(await start({ appId: 'acme/old' }), problems.gone);
    await expectProblem(await start({ appId: 'acme/old', version: '1.0.0' }), problems.gone);
    await expectProblem(await submit(running), problems.gone);
    expect((await cancel(running.sessionId)).status).toBe(204);
    await expectProblem(await submit(running), problems.conflict);
  });

  test('after three missed probes a start is 502 at once and may be retried; running sessions still call the app (contract/sessions#life-cycle)', async () => {
    await publishFlowApp(gateway, app, { appId: 'acme/ill' });
    const running = await alice().start('acme/ill');
    const file = new Sqlite(gateway.databaseFile);
    file.run('PRAGMA busy_timeout = 5000');
    file.run("UPDATE flow_versions SET health_misses = 3 WHERE app_id = 'acme/ill'");
    file.close();
    const asked = app.requests.length;
    await expectProblem(await alice().post(sessionsPath, { appId: 'acme/ill' }), {
      ...problems.badGateway,
      retryable: true,
    });
    expect(app.requests.length).toBe(asked);
    expect((await submit(running)).status).toBe(200);
  });

  test('an app that refuses, fails or returns an invalid response starts no session', async () => {
    const before = (await jsonBody(await alice().get(`${sessionsPath}?limit=100`)))['data'];
    app.script((request) => ({ ...counter(request), errors: [{ message: 'closed on Sundays' }] }));
    const refused = await alice().post(sessionsPath, { appId: 'acme/counter' });
    expect([refused.status, await jsonBody(refused)]).toMatchObject([
      400,
      { detail: 'closed on Sundays', errors: [{ message: 'closed on Sundays' }] },
    ]);
    app.script(() => new Response('no', { status: 500 }));
    await expectProblem(await alice().post(sessionsPath, { appId: 'acme/counter' }), {
      ...problems.badGateway,
      retryable: true,
    });
    app.script(() => ({ nonsense: true }));
    await expectProblem(await alice().post(sessionsPath, { appId: 'acme/counter' }), problems.badGateway);
    expect((await jsonBody(await alice().get(`${sessionsPath}?limit=100`)))['data']).toEqual(before);
  });

  test('a terminal first step completes the session at once, with both events', async () => {
    app.script(() => ({ step: { stepId: 'done', title: 'Done', fields: [], actions: [], terminal: true } }));
    const session = await alice().start();
    expect(session).toMatchObject({ status: 'completed', stateVersion: 1 });
    const { data } = await jsonBody(await alice().get(`${sessionsPath}/${session.sessionId}/events`));
    expect((data as { type: string }[]).map(({ type }) => type)).toEqual(['session_created', 'session_completed']);
  });
});

describe('steps', () => {
  test('a session can loop until its end, with one stateVersion for each transition (contract/sessions#life-cycle)', async () => {
    let session = await alice().start();
    for (const amount of [5, 7, 0]) session = await alice().add(session, amount);
    expect(session).toMatchObject({ stateVersion: 4, status: 'active', currentStep: { description: 'Counted to 12' } });
    session = await alice().finish(session);
    expect(session).toMatchObject({
      stateVersion: 5,
      status: 'completed',
      currentStep: { stepId: 'done', terminal: true },
    });
    const over = await expectProblem(await submit(session), problems.conflict);
    expect(over).toBe('The session is completed.');
  });

  test('wrong step, state, action or field: 404, 409, 409, 400, 400, and the app is not called (contract/sessions#life-cycle)', async () => {
    const session = await alice().start();
    const asked = app.requests.length;
    await expectProblem(await submit(session, {}, 'unknown'), problems.notFound);
    await expectProblem(await submit(session, {}, 'done'), problems.conflict);
    await expectProblem(await submit({ ...session, stateVersion: 2 }), problems.conflict);
    for (const [body, name] of [
      [{ actionId: 'nope' }, 'actionId'],
      [{ actionId: 7 }, 'actionId'],
      [{ actionId: null }, 'actionId'],
      [{ fieldValues: [] }, 'fieldValues'],
      [{ fieldValues: {} }, 'amount'],
      [{ fieldValues: { amount: 1001 } }, 'amount'],
      [{ fieldValues: { amount: 1, other: 2 } }, 'other'],
      [{ stateVersion: '1' }, 'stateVersion'],
      [{ stateVersion: 1.5 }, 'stateVersion'],
      [{ stateVersion: null }, 'stateVersion'],
    ] as const)
      expect(await expectProblem(await submit(session, body), problems.badRequest)).toContain(name);
    expect(app.requests.length).toBe(asked);
    expect(await jsonBody(await alice().get(`${sessionsPath}/${session.sessionId}`))).toEqual({ ...session });
  });

  test('every failure of an app is a 502 with the correct retry hint, and the session is unchanged (contract/sessions#life-cycle)', async () => {
    const session = await alice().start();
    const ways: readonly [string, () => unknown, boolean][] = [
      ['500', () => new Response('x', { status: 500 }), true],
      ['429', () => new Response('x', { status: 429 }), true],
      ['400', () => new Response('x', { status: 400 }), false],
      ['no JSON', () => new Response('<html>'), false],
      ['no step', () => ({}), false],
      ['an undeclared step', () => ({ step: { ...countStep(0), stepId: 'undeclared' } }), false],
      ['too late', () => new Promise(() => {}), true],
      ['filtered', () => ({ step: { ...countStep(0), title: 'Send us your seed phrase' } }), false],
    ];
    for (const [way, answer, retryable] of ways) {
      app.script(answer);
      const response = await submit(session);
      expect([way, response.status]).toEqual([way, 502]);
      const detail = await expectProblem(response, { ...problems.badGateway, retryable });
      if (way === 'filtered') expect(detail).toMatch(/^content-filter rule [\w.-]+ rejected text at \/step\/title$/);
    }
    expect(await jsonBody(await alice().get(`${sessionsPath}/${session.sessionId}`))).toEqual({ ...session });
    app.script(counter);
    expect((await submit(session)).status).toBe(200);
  });

  test('text that the content filter cannot classify is a warning on the step in every response (contract/flow-apps#content-filter)', async () => {
    const flagged = {
      ...countStep(0),
      description: 'Of the type Map<string, bigint>',
      warnings: [{ message: 'of the app' }],
    };
    app.script(() => ({ step: flagged }));
    const session = await alice().start();
    const warnings = [
      { ruleId: 'markup', pointer: '/description', message: expect.stringContaining('looks like markup') },
    ];
    expect(session.currentStep).toEqual({ ...countStep(0), description: 'Of the type Map<string, bigint>', warnings });
    const again = await jsonBody(await alice().get(`${sessionsPath}/${session.sessionId}`));
    expect(again).toMatchObject({ currentStep: { warnings } });
    app.script(counter);
    expect((await submit(session)).status).toBe(200);
    expect(JSON.stringify(await jsonBody(await alice().get(`${sessionsPath}/${session.sessionId}`)))).not.toContain(
      'warnings',
    );
  });

  test("an app's validation errors are a 400 that names field and message, with all of them as members (contract/sessions#life-cycle)", async () => {
    const session = await alice().start();
    const errors = [{ fieldId: 'amount', message: 'is more than you have' }, { message: 'try tomorrow' }];
    app.script((request) => ({ ...counter(request), errors }));
    const response = await submit(session);
    expect([response.status, await jsonBody(response)]).toMatchObject([
      400,
      {
        type: 'urn:svc:error:bad-request',
        detail: 'amount: is more than you have; try tomorrow',
        retryable: false,
        errors,
      },
    ]);
    expect((await jsonBody(await alice().get(`${sessionsPath}/${session.sessionId}`)))['stateVersion']).toBe(1);
  });

  test('a submitted secret is in no response, event or log, even when the app returns it (contract/sessions#life-cycle)', async () => {
    const secret = 'correct horse battery staple';
    const fields = [{ fieldId: 'pin', type: 'secret', label: 'Pin' }];
    const step = { ...countStep(0), fields };
    const ways: readonly [string, object, number][] = [
      ['title', { step: { ...step, title: `Your pin is ${secret}` } }, 502],
      ['option', { step: { ...step, options: { [secret]: 1 } } }, 502],
      ['event', { step, events: [{ type: 'counted', data: { said: secret } }] }, 502],
      ['event that is not declared', { step, events: [{ type: secret, data: {} }] }, 502],
      ['error', { step, errors: [{ message: `${secret} is wrong` }] }, 502],
      // The value of a secret field is dropped; state and app data are not returned.
      ['value', { step: { ...step, fields: [{ ...fields[0], value: secret }] }, state: { secret } }, 200],
    ];
    app.script(() => ({ step }));
    const session = await alice().start();
    for (const [way, answer, status] of ways) {
      app.script(() => answer);
      const response = await submit(session, { fieldValues: { pin: secret } });
      const text = await response.text();
      expect([way, response.status, text.includes(secret)]).toEqual([way, status, false]);
      expect(app.requests.at(-1)?.submission?.fieldValues).toEqual({ pin: secret });
    }
    const { sessionId } = session;
    for (const path of [`${sessionsPath}/${sessionId}`, `${sessionsPath}/${sessionId}/events`, sessionsPath])
      expect(await (await alice().get(path)).text()).not.toContain(secret);
    await until('the refusal is in the log', () => gateway.output().includes(sessionId));
    expect(gateway.output()).not.toContain(secret);
  });

  test("another user's session is indistinguishable from an absent one, on every route (contract/conventions)", async () => {
    const session = await alice().start();
    for (const sessionId of [session.sessionId, 'ses_01ARZ3NDEKTSV4RRFFQ69G5FAV', 'nonsense', 'ses_%F0%9F%98%80']) {
      const details = [
        await expectProblem(
          await flowClient(gateway, 'mallory').get(`${sessionsPath}/${sessionId}`),
          problems.notFound,
        ),
        await expectProblem(await submit({ sessionId, stateVersion: 1 }, {}, 'count', 'mallory'), problems.notFound),
        await expectProblem(await cancel(sessionId, 'mallory'), problems.notFound),
      ];
      expect(new Set(details)).toEqual(new Set(['There is no such session.']));
    }
    expect((await submit(session)).status).toBe(200);
  });

  test('an API key controls a session for its owner (contract/sessions#life-cycle)', async () => {
    const { apiKey } = await gateway.mint('alice');
    const session = await alice().start();
    const response = await gateway.fetch(`${sessionsPath}/${session.sessionId}/steps/count`, {
      method: 'POST',
      headers: { 'X-API-Key': apiKey, 'Idempotency-Key': 'by-key' },
      body: JSON.stringify({ actionId: 'add', fieldValues: { amount: 3 }, stateVersion: 1 }),
    });
    expect([response.status, await jsonBody(response)]).toMatchObject([200, { stateVersion: 2 }]);
  });
});

describe('the end of a session', () => {
  test('cancelling is 204, also when repeated, increments stateVersion once, and ends submissions (contract/sessions#life-cycle)', async () => {
    const session = await alice().start();
    const answers = [await cancel(session.sessionId), await cancel(session.sessionId)];
    expect(answers.map(({ status }) => status)).toEqual([204, 204]);
    expect(await jsonBody(await alice().get(`${sessionsPath}/${session.sessionId}`))).toMatchObject({
      status: 'cancelled',
      stateVersion: 2,
    });
    expect(await expectProblem(await submit(session), problems.conflict)).toBe('The session is cancelled.');
    const { data } = await jsonBody(await alice().get(`${sessionsPath}/${session.sessionId}/events`));
    expect((data as { type: string }[]).map(({ type }) => type)).toEqual(['session_created', 'session_cancelled']);
  });

  test('a completed session cannot be cancelled: 409; nor can one with a running submission, which may be retried', async () => {
    const done = await alice().finish(await alice().start());
    await expectProblem(await cancel(done.sessionId), problems.conflict);
    const session = await alice().start();
    const gate = Promise.withResolvers<void>();
    app.script(async (request) => {
      await gate.promise;
      return counter(request);
    });
    const arriving = app.nextArrival();
    const running = submit(session);
    await arriving;
    await expectProblem(await cancel(session.sessionId), { ...problems.conflict, retryable: true });
    await expectProblem(await submit(session), { ...problems.conflict, retryable: true });
    gate.resolve();
    expect((await running).status).toBe(200);
    expect((await cancel(session.sessionId)).status).toBe(204);
  });

  test('a session without activity expires automatically, with an event (contract/sessions#life-cycle)', async () => {
    const brief = await startGateway({ config: { ...reachesLoopback, flow: { sessionTtlSeconds: 1 } } });
    try {
      await publishFlowApp(brief, app);
      const session = await flowClient(brief).start();
      const file = new Sqlite(brief.databaseFile, { readonly: true });
      const statusOf = () => file.query('SELECT status FROM flow_sessions WHERE session_id = ?').get(session.sessionId);
      await until('the session has expired', () => JSON.stringify(statusOf()).includes('expired'), 30_000);
      file.close();
      const { data } = await jsonBody(await flowClient(brief).get(`${sessionsPath}/${session.sessionId}/events`));
      expect((data as { type: string }[]).map(({ type }) => type)).toEqual(['session_created', 'session_expired']);
    } finally {
      await brief.stop();
    }
  });
});

describe('lists and queries', () => {
  test('sessions are listed newest first, in pages, by app and status, only to their owner (contract/conventions#lists)', async () => {
    const lister = flowClient(gateway, 'lister');
    const sessions = [await lister.start(), await lister.start('acme/second'), await lister.start()] as const;
    await cancel(sessions[2].sessionId, 'lister');
    const idsOf = async (query: string) => {
      const { data, nextCursor } = await jsonBody(await lister.get(`${sessionsPath}?${query}`));
      return {
        ids: (data as Session[]).map(({ sessionId }) => sessionId),
        nextCursor: nextCursor as string | undefined,
      };
    };
    const [first = '', second = '', third = ''] = sessions.map(({ sessionId }) => sessionId);
    const page = await idsOf('limit=2');
    expect(page).toEqual({ ids: [third, second], nextCursor: expect.any(String) });
    expect(await idsOf(`limit=2&cursor=${page.nextCursor}`)).toEqual({ ids: [first], nextCursor: undefined });
    expect((await idsOf('status=active')).ids).toEqual([second, first]);
    expect((await idsOf('appId=acme%2Fsecond')).ids).toEqual([second]);
    expect((await idsOf('appId=acme/counter&status=cancelled')).ids).toEqual([third]);
    for (const query of ['limit=0', 'limit=101', 'status=done', 'status=active&status=failed', 'appId=%00', 'cursor=x'])
      await expectProblem(await lister.get(`${sessionsPath}?${query}`), problems.badRequest);
  });

  test('a declared query returns app data of the caller only (contract/sessions#life-cycle)', async () => {
    const [querier, stranger] = [flowClient(gateway, 'querier'), flowClient(gateway, 'stranger')];
    await querier.add(await querier.start(), 9);
    const path = '/flow/queries/acme/counter/total';
    for (const response of [
      await querier.get(path),
      await querier.get('/flow/queries/acme%2Fcounter/total'),
      await querier.post(path, {}),
    ])
      expect([response.status, await jsonBody(response)]).toEqual([200, { data: 9 }]);
    expect(await jsonBody(await stranger.get(path))).toEqual({ data: null });
    await expectProblem(await querier.get('/flow/queries/acme/counter/unknown'), problems.notFound);
    await expectProblem(await querier.get('/flow/queries/acme/unknown/total'), problems.notFound);
    await expectProblem(await querier.get('/flow/queries/%00/x/total'), problems.notFound);
  });

  test.each([
    ['a text', (lure: string) => lure, '/data'],
    [
      'a large object',
      (lure: string) => ({ plain: 'words and words. '.repeat(2_000), list: [1, { lure }] }),
      '/data/list/1/lure',
    ],
  ])(
    '%s of app data that the content filter rejects is not returned: 502 with rule and pointer (contract/sessions#life-cycle)',
    async (_, keep, pointer) => {
      const querier = flowClient(gateway, 'filtered');
      const stored = keep('Enter your seed phrase to continue.');
      app.script((request) => ({ ...counter(request), appData: { set: { total: stored } } }));
      await querier.add(await querier.start());
      app.script(counter);
      const detail = await expectProblem(await querier.get('/flow/queries/acme/counter/total'), problems.badGateway);
      expect(detail).toBe(`content-filter rule secret-requests rejected text at ${pointer}`);
    },
  );

  test('the next session of a user receives the app data of the previous one; another user’s does not', async () => {
    const [keeper, other] = [flowClient(gateway, 'keeper'), flowClient(gateway, 'other')];
    await keeper.add(await keeper.start(), 4);
    const next = app.nextArrival();
    await keeper.start();
    expect((await next).appData).toEqual({ total: 4 });
    const theirs = app.nextArrival();
    await other.start();
    expect((await theirs).appData).toEqual({});
  });
});

describe('limits', () => {
  test('a session has its own limit in addition to the user’s, and other users cannot use it up (contract/limits; contract/sessions#life-cycle, contract/limits#what-counts)', async () => {
    const [busy, other] = [await alice().start(), await alice().start()];
    const path = `${sessionsPath}/${busy.sessionId}`;
    for (let at = 0; at < sessionLimit + 5; at++) await flowClient(gateway, 'mallory').get(path);
    const answers: Response[] = [];
    for (let at = 0; at < sessionLimit; at++) answers.push(await alice().get(path));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(answers.map(limitsOf).map(({ limit, remaining }) => [limit, remaining])).toEqual(
      answers.map((_, at) => [sessionLimit, sessionLimit - 1 - at]),
    );
    const tooMany = { status: 429, type: 'too-many-requests', title: 'Too many requests', retryable: true };
    await expectProblem(await submit(busy), tooMany);
    await expectProblem(await cancel(busy.sessionId), tooMany);
    expect((await alice().get(`${sessionsPath}/${other.sessionId}`)).status).toBe(200);
    expect((await alice().get(sessionsPath)).status).toBe(200);
  });
});
