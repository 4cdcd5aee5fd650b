/** Events of a session over HTTP: pages, and Server-Sent Events without losses (contract/events). */

import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test';
import type { FlowEvent, FlowEventPage, Session } from '@flowgate/client/flow-wire';
import { until } from '@flowgate/testing/until';
import { expectCommonHeaders } from '../../apps/gateway/test/fixtures/answers.ts';
import { type EventStreamReader, openEventStream } from '../../apps/gateway/test/fixtures/event-stream.ts';
import { type FlowAppFixture, publishFlowApp, reachesLoopback } from '../../apps/gateway/test/fixtures/flow-app.ts';
import { type FlowClient, flowClient } from '../../apps/gateway/test/fixtures/flow-client.ts';
import { type FlowGateway, startFlowGateway } from '../../apps/gateway/test/fixtures/flow-gateway.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

let gateway: RunningGateway;
let app: FlowAppFixture;
let stop: FlowGateway['stop'];
let alice: FlowClient;
let open: EventStreamReader[] = [];

beforeAll(async () => {
  ({ gateway, app, stop } = await startFlowGateway({ server: { cors: { origins: ['https://console.example'] } } }));
  alice = flowClient(gateway);
});
afterEach(async () => {
  await Promise.all(open.map((each) => each.close()));
  open = [];
});
afterAll(() => stop());

const eventsPath = ({ sessionId }: Session) => `/flow/sessions/${sessionId}/events`;
const follow = async (session: Session, headers: Readonly<Record<string, string>> = {}, query = '') => {
  const url = `${gateway.url}${eventsPath(session)}${query}`;
  const reader = await openEventStream(url, { Authorization: alice.headers['Authorization'] ?? '', ...headers });
  open.push(reader);
  return reader;
};
const page = async (session: Session, query = '') => {
  const response = await alice.get(eventsPath(session) + query);
  expect(response.status).toBe(200);
  return (await response.json()) as FlowEventPage;
};
const sequences = (events: readonly Pick<FlowEvent, 'sequence'>[]) => events.map(({ sequence }) => sequence);
const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, at) => first + at);

async function counted(steps: number): Promise<Session> {
  let session = await alice.start();
  for (let step = 0; step < steps; step++) session = await alice.add(session);
  return session;
}

/** All events of the session, read in pages, which another test verifies. */
async function everything(session: Session): Promise<readonly FlowEvent[]> {
  const all: FlowEvent[] = [];
  for (let query = ''; ; ) {
    const { data, nextCursor } = await page(session, query);
    all.push(...data);
    if (nextCursor === undefined) return all;
    query = `?after=${nextCursor}`;
  }
}

test('pages are ascending without gaps, and nextCursor is the last sequence when there are more (contract/events)', async () => {
  const session = await counted(8);
  const all = await everything(session);
  expect(sequences(all)).toEqual(upTo(all.length));
  expect(all.length).toBeGreaterThan(8);
  expect(all[0]).toMatchObject({ type: 'session_created', data: { sessionId: session.sessionId, stateVersion: 1 } });
  const first = await page(session, '?limit=3');
  expect(first).toEqual({ data: all.slice(0, 3), nextCursor: '3' });
  expect(await page(session, `?limit=3&after=${first.nextCursor}`)).toEqual({ data: all.slice(3, 6), nextCursor: '6' });
  expect(await page(session, `?limit=3&after=${all.length - 3}`)).toEqual({ data: all.slice(-3) });
  expect(await page(session, `?after=${all.length}`)).toEqual({ data: [] });
});

test('a page has 20 events by default, and an invalid limit or sequence is 400', async () => {
  const session = await counted(12);
  expect((await page(session)).data).toHaveLength(20);
  for (const query of [
    'limit=0',
    'limit=101',
    'limit=x',
    'limit=1&limit=2',
    'after=-1',
    'after=x',
    'after=',
    'after=1&after=2',
  ])
    expect([query, (await alice.get(`${eventsPath(session)}?${query}`)).status]).toEqual([query, 400]);
});

test('a position beyond the newest event is 400 as a page and as a stream, also after the session has ended (contract/events)', async () => {
  const session = await counted(1);
  const ask = (place: number, accept: string) =>
    Promise.all([
      alice.get(`${eventsPath(session)}?after=${place}`, { Accept: accept }),
      alice.get(eventsPath(session), { Accept: 'text/event-stream', 'Last-Event-ID': String(place) }),
    ]);
  const refused = async () => {
    const newest = (await everything(session)).length;
    for (const place of [newest + 1, 999_999_999_999_999])
      for (const accept of ['application/json', 'text/event-stream'])
        for (const response of await ask(place, accept)) {
          const { detail } = (await response.json()) as { detail: string };
          expect([response.status, detail]).toEqual([400, expect.stringContaining(`newest event is ${newest}`)]);
        }
  };
  await refused();
  await alice.finish(session);
  await refused();
});

test("another user's session, an unknown one and an invalid id are all 404 (contract/conventions#ids)", async () => {
  const session = await counted(0);
  const bob = flowClient(gateway, 'bob');
  for (const accept of ['application/json', 'text/event-stream'])
    for (const id of [session.sessionId, 'ses_00000000000000000000000000', 'x']) {
      const response = await bob.get(`/flow/sessions/${id}/events`, { Accept: accept });
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ detail: 'There is no such session.' });
    }
});

test('a stream sends past events, then new ones, each with id, event and data, and ends with the session (contract/events)', async () => {
  let session = await counted(2);
  const past = await everything(session);
  const stream = await follow(session);
  await stream.received(past.length);
  session = await alice.add(session);
  await stream.received(past.length + 1);
  await alice.finish(session);
  await stream.ended;
  const all = await everything(session);
  expect(all.at(-1)?.type).toBe('session_completed');
  expect(stream.events).toEqual(all.map((event) => ({ id: String(event.sequence), type: event.type, event })));
  expect(stream.comments.length).toBeGreaterThan(0);
  expect(stream.retryMs()).toBe(2_000);
});

test('a stream without remaining events is 204, so that browsers do not reconnect (WHATWG HTML 9.2.3)', async () => {
  const session = await alice.finish(await counted(1));
  const all = await everything(session);
  expect((await follow(session, { 'Last-Event-ID': String(all.length) })).response.status).toBe(204);
  const rest = await follow(session, { 'Last-Event-ID': String(all.length - 1) });
  await rest.ended;
  expect(rest.events.map(({ event }) => event)).toEqual(all.slice(-1));
});

test('the response of a stream has its own headers and the common ones: id, limits, CORS (contract/conventions#cors, contract/limits)', async () => {
  const session = await counted(0);
  const before = await alice.get('/users/me/id');
  const { response } = await follow(session, { Origin: 'https://console.example', 'X-Request-Id': 'mine-1' });
  expect(response.status).toBe(200);
  expectCommonHeaders(response);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
    'x-request-id': 'mine-1',
    'access-control-allow-origin': 'https://console.example',
    vary: 'Accept, Origin',
  });
  const after = await alice.get('/users/me/id');
  const left = (answer: Response) => Number(answer.headers.get('x-ratelimit-remaining'));
  expect(left(before) - left(after)).toBe(2);
});

test("a connection closes when its stream ends, because the runtime's timeout no longer applies to it", async () => {
  const session = await alice.finish(await counted(0));
  const { response, ended } = await follow(session);
  expect(response.headers.get('connection')).toBe('close');
  await ended;
});

test('HEAD has the headers of GET and leaves no stream open', async () => {
  const session = await counted(0);
  for (let at = 0; at < 25; at++) {
    const response = await gateway.fetch(eventsPath(session), {
      method: 'HEAD',
      headers: { ...alice.headers, Accept: 'text/event-stream' },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(await response.text()).toBe('');
  }
  expect((await follow(session)).response.status).toBe(200);
});

test('Last-Event-ID continues after that event and takes precedence over after= (contract/events)', async () => {
  const session = await counted(5);
  const all = await everything(session);
  const byHeader = await follow(session, { 'Last-Event-ID': '3' }, '?after=7');
  const byQuery = await follow(session, {}, '?after=7');
  await Promise.all([byHeader.received(all.length - 3), byQuery.received(all.length - 7)]);
  expect(byHeader.events.map(({ event }) => event)).toEqual(all.slice(3));
  expect(byQuery.events.map(({ event }) => event)).toEqual(all.slice(7));
  for (const odd of ['x', '-1', '1.5', '12345678901234567890']) {
    const refusal = await follow(session, { 'Last-Event-ID': odd });
    expect(refusal.response.status).toBe(400);
    expect(refusal.response.headers.get('content-type')).toBe('application/problem+json');
  }
});

test('each of eighteen streams of one session receives every event once, in order', async () => {
  let session = await counted(1);
  const streams = await Promise.all(Array.from({ length: 18 }, () => follow(session)));
  for (let step = 0; step < 5; step++) session = await alice.add(session);
  await alice.finish(session);
  await Promise.all(streams.map(({ ended }) => ended));
  const all = await everything(session);
  for (const { events } of streams) expect(events.map(({ event }) => event)).toEqual([...all]);
});

test('a user has at most twenty streams, and a client that disconnects frees a stream', async () => {
  const session = await counted(0);
  const streams = await Promise.all(Array.from({ length: 20 }, () => follow(session)));
  expect(streams.map(({ response }) => response.status)).toEqual(Array(20).fill(200));
  const refusal = await follow(session);
  expect(refusal.response.status).toBe(409);
  await streams[7]?.close();
  // The gateway notices it a moment later.
  await until('a stream can be opened', async () => {
    const { response } = await follow(session);
    if (response.status !== 200) expect(response.status).toBe(409);
    return response.status === 200;
  });
});

test('a stream opened with a key ends when the key is revoked (contract/keys#revocation)', async () => {
  const session = await counted(0);
  const { apiKey, keyId } = await gateway.mint('alice');
  const headers = { 'X-API-Key': apiKey, Authorization: '' };
  const [withKey, withToken] = [await follow(session, headers), await follow(session)];
  await Promise.all([withKey.received(1), withToken.received(1)]);
  const revoked = await gateway.fetch(`/users/me/api-keys/${keyId}`, { method: 'DELETE', headers: alice.headers });
  expect(revoked.status).toBe(204);
  await withKey.ended;
  const { sequence } = (await everything(await alice.add(session))).at(-1) ?? { sequence: 0 };
  expect(sequences((await withToken.received(sequence)).map(({ event }) => event))).toEqual(upTo(sequence));
  expect(withKey.events).toHaveLength(1);
});

test('a client that resumes loses no event and receives none twice while the gateway is killed and restarted', async () => {
  let session = await counted(0);
  const seen: number[] = [];
  const client = async () => {
    for (;;) {
      try {
        const stream = await follow(session, { 'Last-Event-ID': String(seen.at(-1) ?? 0) });
        if (stream.response.status === 204) return;
        await stream.ended;
        seen.push(...sequences(stream.events.map(({ event }) => event)));
      } catch {
        // The gateway is unavailable. After the session has ended, a 204 ends the loop above.
        // Real time: the pace of a client whose gateway is unavailable.
        await Bun.sleep(20);
      }
    }
  };
  const reading = client();
  for (let round = 0; round < 3; round++) {
    for (let step = 0; step < 5; step++) session = await alice.add(session);
    await gateway.restart();
  }
  await alice.finish(session);
  await reading;
  const all = await everything(session);
  expect(seen).toEqual(upTo(all.length));
});

test('a drain ends streams: the gateway stops at once, and clients receive a complete response', async () => {
  const own = await startGateway({ config: reachesLoopback });
  try {
    await publishFlowApp(own, app);
    const client = flowClient(own);
    const { sessionId } = await client.start();
    const stream = await openEventStream(`${own.url}/flow/sessions/${sessionId}/events`, client.headers);
    await stream.received(1);
    own.process.kill('SIGTERM');
    await stream.ended;
    expect(await own.process.exited).toBe(0);
    expect(own.output()).toContain('"event":"gateway.stopped","cutOff":0');
  } finally {
    await own.stop();
  }
});
