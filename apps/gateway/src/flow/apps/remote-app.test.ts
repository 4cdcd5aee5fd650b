import { afterEach, describe, expect, test } from 'bun:test';
import { gzipSync } from 'node:zlib';
import { createTimerWheel } from '@flowgate/async/timer-wheel';
import { systemClock } from '@flowgate/base/clock';
import { endAll, type Peer, type Request, reply, serve, writeAll } from '@flowgate/testing/raw-http1-server';
import { openSafeFetch } from '@flowgate/testing/safe-fetch';
import { Webhook } from 'standardwebhooks';
import { createRemoteApps, type RemoteAppOptions } from './remote-app.ts';
import type { RenderRequest } from './render-request-wire.ts';

afterEach(endAll);

const timerWheel = createTimerWheel(systemClock, 5);
const secret = 'whsec_c2l4dGVlbiBieXRlcyBhbmQgc29tZSBtb3JlIHN0aWxs';
const answer = { step: { stepId: 'done', title: 'Done', fields: [], actions: [], terminal: true } };

/** Has every member that a request may have. */
const request: Required<RenderRequest> = {
  protocolVersion: '1',
  requestId: 'req_1',
  reason: 'submit',
  session: { sessionId: 'ses_1', appId: 'acme/pay', version: '1.0.0', stateVersion: 1, userId: 'u_1' },
  stepId: 'a',
  idempotencyKey: 'derived-0',
  launchContext: { from: 'x' },
  state: {},
  appData: { seen: 1 },
  appDataTruncated: true,
  submission: { stepId: 'a', actionId: 'go', fieldValues: { é: '€' }, idempotencyKey: 'derived-1' },
};

let messages = 0;

function appAt(baseUrl: string, more: Partial<RemoteAppOptions> = {}) {
  const open = createRemoteApps({
    safeFetch: openSafeFetch(),
    openSecret: () => secret,
    clock: systemClock,
    timerWheel,
    renderTimeoutMs: 60_000,
    newRequestId: () => `msg_${++messages}`,
    ...more,
  });
  const manifest = { baseUrl, startSteps: ['a'], stepIds: ['a'], queries: [], eventTypes: [] };
  return open({ appId: 'acme/pay', version: '1.0.0', manifest, sealedSecret: 'sealed' });
}

/** An app that answers each call with the next text, and then repeats the last one. */
function appAnswering(...texts: readonly (string | ((peer: Peer) => void))[]) {
  const requests: Request[] = [];
  const server = serve((peer, each, count) => {
    requests.push(each);
    const next = texts[Math.min(count, texts.length) - 1] ?? '';
    if (typeof next === 'string') writeAll(peer, Buffer.from(next));
    else next(peer);
  });
  return { ...server, requests, baseUrl: `${server.url}apps/pay` };
}

const status = (code: number, fields = '') => `HTTP/1.1 ${code} X\r\n${fields}Content-Length: 2\r\n\r\n{}`;
const good = reply(JSON.stringify(answer));
const hangUp = (peer: Peer) => void peer.end();

function fieldsOf(head: string): Record<string, string> {
  const lines = head.split('\r\n').slice(1);
  return Object.fromEntries(
    lines.map((line) => [line.split(': ')[0]?.toLowerCase(), line.slice(line.indexOf(': ') + 2)]),
  );
}

const answered = { ok: true, text: JSON.stringify(answer) };

/** The bytes of a response as text. */
function reported(result: Awaited<ReturnType<ReturnType<typeof appAt>['render']>>) {
  return result.ok ? { ok: true, text: new TextDecoder().decode(result.value) } : result;
}

/** Renders once and counts the requests that reached the app, which shows whether the gateway retried. */
async function renderOnce(...texts: readonly (string | ((peer: Peer) => void))[]) {
  const app = appAnswering(...texts);
  return { result: reported(await appAt(app.baseUrl).render(request)), asked: app.requests.length };
}

describe('a render', () => {
  test("is a signed POST below the version's base URL, and contains the whole request (contract/flow-apps#downstream)", async () => {
    const app = appAnswering(good);
    expect(reported(await appAt(app.baseUrl).render(request))).toEqual(answered);
    const [sent] = app.requests;
    const fields = fieldsOf(sent?.head ?? '');
    expect(sent?.head).toStartWith('POST /apps/pay/renderStep HTTP/1.1\r\n');
    expect(fields).toMatchObject({
      'content-type': 'application/json',
      'x-request-id': 'req_1',
      'webhook-id': `msg_${messages}`,
    });
    expect(new Webhook(secret).verify(sent?.body ?? '', fields)).toEqual(request);
    expect(sent?.body).toBe(JSON.stringify(request));
  });

  test('accepts any successful response, compressed or not; its bytes are validated later', async () => {
    const bytes = gzipSync(JSON.stringify(answer));
    const compressed = (peer: Peer) => {
      peer.write(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bytes.length}\r\n\r\n`);
      peer.write(bytes);
    };
    for (const text of [good.replace('200 OK', '201 Created'), compressed]) {
      expect(await renderOnce(text)).toEqual({ result: answered, asked: 1 });
    }
  });

  test('without a response is retryable: 5xx, 429 and a broken connection (contract/flow-apps#downstream)', async () => {
    for (const code of [500, 501, 502, 503, 504, 505, 520, 599, 429]) {
      const { result } = await renderOnce(status(code));
      expect(result).toEqual({ ok: false, retryable: true, detail: `the app's /renderStep answered ${code}` });
    }
    expect((await renderOnce(hangUp)).result).toEqual({
      ok: false,
      retryable: true,
      detail: 'the app closed the connection before its answer was complete',
    });
  });

  test('with an invalid response is not retryable: other statuses, invalid HTTP, too many bytes (contract/flow-apps#downstream)', async () => {
    const wrong: readonly (readonly [string | ((peer: Peer) => void), string])[] = [
      ...[301, 302, 307, 400, 401, 403, 404, 409, 422].map(
        (code) => [status(code, 'Location: http://127.0.0.1/\r\n'), `the app's /renderStep answered ${code}`] as const,
      ),
      [reply(`"${'x'.repeat(1_048_575)}"`), "the app's /renderStep answered more than 1 MiB"],
      ['SSH-2.0-OpenSSH\r\n', "the app's /renderStep answered with an invalid HTTP message (bad status line)"],
    ];
    for (const [text, detail] of wrong) {
      expect(await renderOnce(text)).toEqual({ result: { ok: false, retryable: false, detail }, asked: 1 });
    }
  });

  test('of exactly 1 MiB is within the limit (contract/bounds#sizes: a Flow App response)', async () => {
    expect(await renderOnce(reply(`"${'x'.repeat(1_048_574)}"`))).toMatchObject({ result: { ok: true } });
  });

  test('that times out reports its time limit, and is not sent again (contract/flow-apps#downstream)', async () => {
    const app = appAnswering(() => {});
    const result = await appAt(app.baseUrl, { renderTimeoutMs: 1_500 }).render(request);
    expect(result).toEqual({ ok: false, retryable: true, detail: 'the app did not answer within 1.5 seconds' });
    expect(app.requests.length).toBe(1);
  });

  test('to a forbidden address is refused without retry, and the error names no address (contract/flow-apps#downstream)', async () => {
    for (const baseUrl of [
      'https://169.254.169.254/x',
      'http://app.example.com',
      'https://[::1]',
      'https://app.internal',
    ]) {
      const result = await appAt(baseUrl).render(request);
      expect(result).toMatchObject({ ok: false, retryable: false });
      expect(result.ok ? '' : result.detail).toMatch(/^the app's address is not allowed: the URL['a-z, ]+$/);
    }
  });

  test('without a readable secret is not sent', async () => {
    const app = appAnswering(good);
    for (const openSecret of [() => undefined, () => 'whsec_?']) {
      expect(await appAt(app.baseUrl, { openSecret }).render(request)).toEqual({
        ok: false,
        retryable: false,
        detail: "the app's signing secret cannot be read",
      });
    }
    expect(app.requests.length).toBe(0);
  });
});

test('the gateway chooses message ids: two renders under one request id of the caller have different ids', async () => {
  const app = appAnswering(good);
  const open = appAt(app.baseUrl);
  await open.render(request);
  await open.render(request);
  const [one, two] = app.requests.map(({ head }) => fieldsOf(head));
  expect([one?.['x-request-id'], two?.['x-request-id']]).toEqual(['req_1', 'req_1']);
  expect(two?.['webhook-id']).not.toBe(one?.['webhook-id']);
});

describe('one retry', () => {
  test('with the same bytes, key and id follows a proxy without its app, and a broken connection (contract/flow-apps#downstream)', async () => {
    for (const first of [status(502), status(503), status(504), hangUp, (peer: Peer) => void peer.terminate()]) {
      const app = appAnswering(first, good);
      expect(reported(await appAt(app.baseUrl).render(request))).toEqual(answered);
      const [one, two] = app.requests;
      expect(app.requests.length).toBe(2);
      expect(two?.body).toBe(one?.body);
      expect(fieldsOf(two?.head ?? '')).toMatchObject({ 'x-request-id': 'req_1' });
      const [idOfOne, idOfTwo] = [one, two].map((sent) => fieldsOf(sent?.head ?? '')['webhook-id']);
      expect(idOfTwo).toBe(idOfOne ?? '');
      expect(new Webhook(secret).verify(two?.body ?? '', fieldsOf(two?.head ?? ''))).toEqual(request);
    }
  });

  test('is the only one: a second failure is returned', async () => {
    expect(await renderOnce(status(503), status(502), good)).toMatchObject({
      result: { detail: "the app's /renderStep answered 502", retryable: true },
      asked: 2,
    });
  });

  test('does not follow an error whose request may have run, one with Retry-After, or a permanent one', async () => {
    for (const first of [status(500), status(429), status(400), status(503, 'Retry-After: 1\r\n')]) {
      expect(await renderOnce(first, good)).toMatchObject({ result: { ok: false }, asked: 1 });
    }
  });

  test('reaches an app that starts between the two attempts', async () => {
    const taken = serve(() => {});
    endAll();
    let attempts = 0;
    const safeFetch = openSafeFetch();
    const app = appAt(`http://127.0.0.1:${taken.port}`, {
      safeFetch: {
        async request(each) {
          attempts++;
          const result = await safeFetch.request(each);
          if (attempts === 1) serve((peer) => void peer.write(good), { port: taken.port });
          return result;
        },
      },
    });
    expect(reported(await app.render(request))).toEqual(answered);
    expect(attempts).toBe(2);
  });

  test('needs remaining time: without it the first failure is returned', async () => {
    const app = appAnswering(status(503), good);
    expect(await appAt(app.baseUrl, { renderTimeoutMs: 60_000, clock: leaping(59_700) }).render(request)).toMatchObject(
      {
        detail: "the app's /renderStep answered 503",
      },
    );
    expect(app.requests.length).toBe(1);
  });
});

/** A monotonic clock that advances by `ms` each time it is read. */
function leaping(ms: number) {
  let now = 0;
  return { now: systemClock.now, monotonic: () => (now += ms) };
}

describe('a health probe', () => {
  test('is a signed GET, and only status 200 means healthy, regardless of the body (contract/flow-apps#downstream)', async () => {
    const app = appAnswering(reply('up'), status(204).replace('2\r\n\r\n{}', '0\r\n\r\n'), status(302), status(503));
    const { health } = appAt(app.baseUrl);
    expect(await health()).toEqual({ ok: true, value: undefined });
    expect(await health()).toEqual({ ok: false, retryable: false, detail: "the app's /health answered 204" });
    expect(await health()).toEqual({ ok: false, retryable: false, detail: "the app's /health answered 302" });
    expect(await health()).toEqual({ ok: false, retryable: true, detail: "the app's /health answered 503" });
    expect(app.requests.length).toBe(4);
    const [sent] = app.requests;
    expect(sent?.head).toStartWith('GET /apps/pay/health HTTP/1.1\r\n');
    expect(() => new Webhook(secret).verify('', fieldsOf(sent?.head ?? ''))).not.toThrow();
  });

  test('of an unreachable app is a retryable failure', async () => {
    const gone = serve(() => {});
    endAll();
    expect(await appAt(gone.url.slice(0, -1)).health()).toEqual({
      ok: false,
      retryable: true,
      detail: 'no connection to the app could be made (ECONNREFUSED)',
    });
  });
});
