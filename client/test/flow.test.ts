/** The Flow part of the client against a server in the gateway's place: requests, retries, following events (contract/flow-apps). */

import { afterEach, describe, expect, test } from 'bun:test';
import { createFlowgate } from '../src/create-flowgate.ts';
import {
  type Asked,
  event,
  type FakeAnswer,
  type FakeFlow,
  problem,
  session,
  sse,
  sseText,
  startFakeFlow,
} from './fake-flow.ts';
import { refusalOf } from './refusal-of.ts';

let fake: FakeFlow | undefined;
afterEach(async () => {
  await fake?.stop();
  fake = undefined;
});

function flowAgainst(...answers: readonly FakeAnswer[]) {
  const started = startFakeFlow(...answers);
  fake = started;
  const client = createFlowgate({ url: started.baseUrl, apiKey: 'fk_test' });
  return { flow: client.flow, asked: started.asked };
}

const lineOf = ({ method, path }: Asked) => `${method} ${path}`;
const submission = { actionId: 'next', fieldValues: { amount: '1' }, stateVersion: 1 };
const app = { appId: 'acme/deploy', name: 'Deploy', visibility: 'public', createdAt: '2026-11-21T10:00:00.000Z' };
const version = {
  appId: 'acme/deploy',
  version: '1.0.0+b1',
  baseUrl: 'https://app.example',
  startSteps: ['start'],
  linkDomains: [],
  steps: [{ stepId: 'start' }],
  queries: [],
  events: [],
  status: 'active',
  createdAt: '2026-11-21T10:00:00.000Z',
};
const subscription = {
  subscriptionId: 'sub_1',
  appId: 'acme/deploy',
  eventType: 'session_completed',
  targetUrl: 'https://hook.example',
  status: 'active',
  createdAt: '2026-11-21T10:00:00.000Z',
};

describe('requests', () => {
  test('the registry’s calls request their routes, with an appId as one segment (contract/flow-apps)', async () => {
    const { flow, asked } = flowAgainst(({ method, path }) => {
      if (method === 'GET' && /(apps|versions)(\?.*)?$/.test(path)) {
        return Response.json({ data: [path.includes('versions') ? version : app] });
      }
      return Response.json(path.includes('versions') ? version : app);
    });
    expect(await flow.apps.register({ appId: 'acme/deploy', name: 'Deploy' })).toEqual(app as never);
    expect(await flow.apps.get('acme/deploy')).toEqual(app as never);
    expect(await Array.fromAsync(flow.apps.list({ limit: 5 }))).toEqual([app as never]);
    const input = { version: '1.0.0+b1', baseUrl: 'https://app.example', steps: [{ stepId: 'start' }] };
    expect(await flow.versions.publish('acme/deploy', input)).toEqual(version as never);
    expect(await flow.versions.get('acme/deploy', '1.0.0+b1')).toEqual(version as never);
    expect(await flow.versions.page('acme/deploy')).toEqual({ data: [version as never] });
    await flow.versions.retire('acme/deploy', '1.0.0+b1');
    const at = '/flow/registry/apps';
    expect(asked.map(lineOf)).toEqual([
      `POST ${at}`,
      `GET ${at}/acme%2Fdeploy`,
      `GET ${at}?limit=5`,
      `POST ${at}/acme%2Fdeploy/versions`,
      `GET ${at}/acme%2Fdeploy/versions/1.0.0%2Bb1`,
      `GET ${at}/acme%2Fdeploy/versions`,
      `POST ${at}/acme%2Fdeploy/versions/1.0.0%2Bb1/retire`,
    ]);
    expect(asked[3]?.body).toEqual(input);
  });

  test('calls of sessions, queries and subscriptions request their routes (contract/flow-apps)', async () => {
    const { flow, asked } = flowAgainst(({ method, path }) => {
      if (method === 'DELETE') return new Response(null, { status: 204 });
      if (path.includes('/queries/')) return Response.json({ data: { balance: '7' } });
      if (path.includes('/subscriptions')) {
        return Response.json(method === 'POST' ? { ...subscription, secret: 'whsec_x' } : { data: [subscription] });
      }
      if (path.includes('/events')) return Response.json({ data: [event(4)], nextCursor: '4' });
      return Response.json(path.startsWith('/flow/sessions?') ? { data: [session()] } : session());
    });
    expect(await flow.sessions.start({ appId: 'acme/deploy' })).toEqual(session());
    expect(await flow.sessions.get('ses_1')).toEqual(session());
    expect(await flow.sessions.page({ filter: { status: 'active' }, limit: 2 })).toEqual({ data: [session()] });
    expect(await flow.sessions.events('ses_1', { after: 3, limit: 10 })).toEqual({ data: [event(4)], nextCursor: '4' });
    await flow.sessions.cancel('ses_1');
    expect(await flow.query('acme/deploy', 'balance')).toEqual({ balance: '7' });
    const input = { eventType: 'session_completed', targetUrl: 'https://hook.example' };
    expect(await flow.subscriptions.create('acme/deploy', input)).toMatchObject({ secret: 'whsec_x' });
    expect(await Array.fromAsync(flow.subscriptions.list('acme/deploy'))).toEqual([subscription as never]);
    await flow.subscriptions.remove('acme/deploy', 'sub_1');
    expect(asked.map(lineOf)).toEqual([
      'POST /flow/sessions',
      'GET /flow/sessions/ses_1',
      'GET /flow/sessions?limit=2&status=active',
      'GET /flow/sessions/ses_1/events?after=3&limit=10',
      'DELETE /flow/sessions/ses_1',
      'GET /flow/queries/acme%2Fdeploy/balance',
      'POST /flow/apps/acme%2Fdeploy/subscriptions',
      'GET /flow/apps/acme%2Fdeploy/subscriptions',
      'DELETE /flow/apps/acme%2Fdeploy/subscriptions/sub_1',
    ]);
    expect(asked[0]?.body).toEqual({ appId: 'acme/deploy' });
  });

  test('an answer of another shape is unreadable', async () => {
    const { flow } = flowAgainst(() => Response.json({ sessionId: 'ses_1', status: 'active' }));
    expect(await refusalOf(flow.sessions.get('ses_1'))).toMatchObject({ kind: 'unreadable', status: 200 });
    expect(await refusalOf(flow.apps.get('acme/deploy'))).toMatchObject({ kind: 'unreadable' });
    expect(await refusalOf(flow.query('acme/deploy', 'q'))).toMatchObject({ kind: 'unreadable' });
    expect(await refusalOf(flow.sessions.events('ses_1'))).toMatchObject({ kind: 'unreadable' });
  });
});

describe('submitting', () => {
  const keysOf = (asked: readonly Asked[]) => asked.map(({ headers }) => headers.get('idempotency-key'));

  test('a submission is retried under one key after temporary failures (contract/sessions#idempotency)', async () => {
    const { flow, asked } = flowAgainst(
      () => new Response('a load balancer', { status: 503 }),
      () => problem(409, { retryable: true }),
      () => problem(502, { retryable: true }),
      () => Response.json(session({ stateVersion: 2 })),
    );
    expect(await flow.sessions.submit('ses_1', 'start', submission)).toEqual(session({ stateVersion: 2 }));
    expect(asked.map(lineOf)).toEqual(Array(4).fill('POST /flow/sessions/ses_1/steps/start'));
    expect(asked.map(({ body }) => body)).toEqual(Array(4).fill(submission));
    expect(new Set(keysOf(asked)).size).toBe(1);
    expect(keysOf(asked)[0]).toMatch(/^[0-9a-f]{32}$/);
  });

  test('a submission whose answer was lost is retried under the same key', async () => {
    const first = Bun.listen({
      hostname: '127.0.0.1',
      port: 0,
      socket: {
        data(socket, bytes) {
          heads.push(bytes.toString());
          const body = JSON.stringify(session());
          // The first connection breaks in the middle of its answer.
          const text = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`;
          socket.end(heads.length === 1 ? text + body.slice(0, 10) : text + body);
        },
      },
    });
    const heads: string[] = [];
    const client = createFlowgate({
      url: `http://127.0.0.1:${first.port}`,
      apiKey: 'fk_test',
    });
    await client.flow.sessions.submit('ses_1', 'start', submission, { idempotencyKey: 'mine' });
    first.stop(true);
    expect(heads).toHaveLength(2);
    for (const head of heads) expect(head).toMatch(/idempotency-key: mine/i);
  });

  test('two submissions have two keys, and a given key is used', async () => {
    const { flow, asked } = flowAgainst(() => Response.json(session()));
    await flow.sessions.submit('ses_1', 'start', submission);
    await flow.sessions.submit('ses_1', 'start', submission);
    await flow.sessions.submit('ses_1', 'start', submission, { idempotencyKey: 'order-7', payment: 'e30=' });
    const keys = keysOf(asked);
    expect(new Set(keys).size).toBe(3);
    expect(keys[2]).toBe('order-7');
    expect(asked.map(({ headers }) => headers.get('x-payment'))).toEqual([null, null, 'e30=']);
  });

  test('permanent refusals are thrown at once: 400 with errors, 402 with accepts, a stale stateVersion (contract/errors#problemdetails)', async () => {
    const accepts = [{ scheme: 'exact', network: 'eip155:31337', amount: '100' }];
    const { flow, asked } = flowAgainst(
      () => problem(400, { errors: [{ fieldId: 'amount', message: 'Too much.' }] }),
      () => problem(402, { type: 'urn:svc:error:payment-required', x402Version: 2, accepts }),
      () => problem(409),
    );
    const submit = () => refusalOf(flow.sessions.submit('ses_1', 'start', submission));
    const wrong = await submit();
    expect(wrong).toMatchObject({ status: 400, kind: 'problem', retryable: false, accepts: undefined });
    expect(wrong.errors).toEqual([{ fieldId: 'amount', message: 'Too much.' }]);
    const unpaid = await submit();
    expect(unpaid).toMatchObject({ status: 402, type: 'urn:svc:error:payment-required', errors: undefined });
    expect(unpaid.accepts).toEqual(accepts);
    expect(await submit()).toMatchObject({ status: 409, message: 'A sentence.' });
    expect(asked).toHaveLength(3);
  });

  test('starts and submissions are retried as often as configured, each under one key', async () => {
    const { flow, asked } = flowAgainst(() => problem(503, { retryable: true }));
    const start = (options?: object) => refusalOf(flow.sessions.start({ appId: 'acme/deploy' }, options));
    const submit = (options?: object) => refusalOf(flow.sessions.submit('ses_1', 'start', submission, options));
    const keys = new Set<string | null>();
    for (const call of [start, submit])
      for (const [options, attempts] of [
        [{ retry: false }, 1],
        [{ retry: { retries: 1 }, idempotencyKey: 'mine' }, 2],
      ] as const) {
        const before = asked.length;
        expect(await call(options)).toMatchObject({ status: 503 });
        const sent = asked.slice(before).map(({ headers }) => headers.get('idempotency-key'));
        expect([sent.length, new Set(sent).size]).toEqual([attempts, 1]);
        keys.add(sent[0] ?? null);
      }
    expect([keys.size, keys.has('mine'), keys.has(null)]).toEqual([3, true, false]);
  });
});

describe('following', () => {
  /** A stream that remains open after these texts until the client leaves. */
  function staying(...texts: readonly string[]): Response {
    const encoder = new TextEncoder();
    return sse(
      new ReadableStream<Uint8Array>({
        start(controller) {
          for (const text of texts) controller.enqueue(encoder.encode(text));
        },
      }),
    );
  }

  test('each event arrives once, over broken streams and refusals, and the events end with the session (contract/flow-apps)', async () => {
    const { flow, asked } = flowAgainst(
      () => sse(sseText(event(1), event(2)).slice(0, -4)),
      () => Response.json(session()),
      () => problem(503, { retryable: true }),
      () => sse(`: hello\n\nretry: 10\n\n${sseText(event(1), event(2), event(3, 'session_completed'), event(4))}`),
    );
    const seen = [];
    for await (const { sequence } of flow.follow('ses_1')) seen.push(sequence);
    expect(seen).toEqual([1, 2, 3]);
    expect(asked.map(({ path }) => path)).toEqual([
      '/flow/sessions/ses_1/events',
      '/flow/sessions/ses_1',
      '/flow/sessions/ses_1/events',
      '/flow/sessions/ses_1/events',
    ]);
    const ids = asked.map(({ headers }) => headers.get('last-event-id'));
    expect(ids).toEqual(['0', null, '1', '1']);
    expect(asked[0]?.headers.get('accept')).toBe('text/event-stream');
  });

  test('events are read from any chunks and line ends (HTML standard, 9.2)', async () => {
    const text = `${sseText(event(7)).replaceAll('\n', '\r\n')}data: ${JSON.stringify(event(8)).replace(',', ',\ndata: ')}\r\r`;
    const closing = sseText(event(9, 'session_failed')).replace('data: ', 'data:');
    const pieces = [...new TextEncoder().encode(`\uFEFF${text}${closing}`)];
    const { flow, asked } = flowAgainst(() =>
      sse(
        new ReadableStream<Uint8Array>({
          pull(controller) {
            const byte = pieces.shift();
            if (byte === undefined) controller.close();
            else controller.enqueue(new Uint8Array([byte]));
          },
        }),
      ),
    );
    const seen = await Array.fromAsync(flow.follow('ses_1', { after: 6 }));
    expect(seen).toEqual([event(7), event(8), event(9, 'session_failed')]);
    expect(asked[0]?.headers.get('last-event-id')).toBe('6');
  });

  test('following an ended session yields its remaining events and ends', async () => {
    const { flow } = flowAgainst(
      () => sse(''),
      () => Response.json(session({ status: 'cancelled' })),
      () => Response.json({ data: [event(5), event(6, 'session_cancelled')], nextCursor: '6' }),
      () => Response.json({ data: [] }),
    );
    const seen = await Array.fromAsync(flow.follow('ses_1', { after: 4 }));
    expect(seen.map(({ sequence }) => sequence)).toEqual([5, 6]);
  });

  test('a permanent refusal, or too many in a row, is thrown', async () => {
    const gone = flowAgainst(() => problem(404, { type: 'urn:svc:error:not-found' }));
    expect(await refusalOf(Array.fromAsync(gone.flow.follow('ses_1')))).toMatchObject({ status: 404, kind: 'problem' });
    expect(gone.asked).toHaveLength(1);
    await fake?.stop();
    const failing = flowAgainst(() => problem(503, { retryable: true }));
    expect(await refusalOf(Array.fromAsync(failing.flow.follow('ses_1', { retries: 1 })))).toMatchObject({
      status: 503,
    });
    expect(failing.asked).toHaveLength(2);
    await fake?.stop();
    const wrong = flowAgainst(() => Response.json({ data: [] }));
    expect(await refusalOf(Array.fromAsync(wrong.flow.follow('ses_1')))).toMatchObject({ kind: 'unreadable' });
  });

  test('a silent connection is replaced, and continues after the last event', async () => {
    const { flow, asked } = flowAgainst(
      () => staying(sseText(event(1))),
      () => sse(sseText(event(2, 'session_expired'))),
    );
    const seen = await Array.fromAsync(flow.follow('ses_1', { silenceMs: 300 }));
    expect(seen.map(({ sequence }) => sequence)).toEqual([1, 2]);
    expect(asked.map(({ headers }) => headers.get('last-event-id'))).toEqual(['0', '1']);
  });

  test('the signal and leaving the loop both close the connection', async () => {
    const left: Promise<void>[] = [];
    const answer = (_asked: Asked, signal: AbortSignal) => {
      left.push(new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true })));
      return staying(sseText(event(1)));
    };
    const { flow } = flowAgainst(answer);
    for await (const { sequence } of flow.follow('ses_1')) if (sequence === 1) break;
    const reason = new Error('the user left');
    const leaving = new AbortController();
    const loop = (async () => {
      for await (const _ of flow.follow('ses_1', { signal: leaving.signal })) leaving.abort(reason);
    })();
    await expect(loop).rejects.toBe(reason);
    await expect(Array.fromAsync(flow.follow('ses_1', { signal: AbortSignal.abort(reason) }))).rejects.toBe(reason);
    expect(left).toHaveLength(2);
    await Promise.all(left);
  });
});
