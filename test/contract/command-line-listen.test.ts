/**
 * `flowgate listen` delivers to a developer's machine what a webhook delivers to a server: the same bodies and
 * signatures, each event, in order (contract/events#webhooks).
 */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { createFlowgate, verifyWebhook } from '@flowgate/client';
import { createFlowAppHandler, newSigningSecret } from '@flowgate/client/flow-app';
import { deployContract } from '@flowgate/devkit/apps/deploy-contract';
import { type PreparedTransaction, unsigned } from '@flowgate/devkit/apps/prepared-transaction';
import { reducerOf } from '@flowgate/devkit/apps/sample-app';
import { type Chain, startChain } from '@flowgate/devkit/chain';
import { devAccount } from '@flowgate/devkit/dev-token';
import { until } from '@flowgate/testing/until';
import {
  type FlowAppFixture,
  publishFlowApp,
  reachesLoopback,
  startFlowApp,
} from '../../apps/gateway/test/fixtures/flow-app.ts';
import { type CliHome, createCliHome } from '../../apps/gateway/test/fixtures/run-cli.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

let gateway: RunningGateway;
let home: CliHome;
let counter: FlowAppFixture;
let chain: Chain;
let sample: Bun.Server<undefined>;
const secret = newSigningSecret();
const account = devAccount(4);

beforeAll(async () => {
  [gateway, chain] = await Promise.all([startGateway({ config: reachesLoopback }), startChain()]);
  home = createCliHome();
  counter = startFlowApp();
  await publishFlowApp(gateway, counter);
  const app = deployContract({ rpcUrl: chain.url });
  sample = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: createFlowAppHandler(reducerOf(app), { signingSecret: secret }),
  });
  const { flow } = createFlowgate({ url: gateway.url, token: gateway.token('publisher') });
  await flow.apps.register(app.app);
  await flow.versions.publish(app.app.appId, {
    ...app.manifest,
    version: '1.0.0',
    baseUrl: sample.url.origin,
    signingSecret: secret,
  });
});
afterAll(async () => {
  await Promise.all([gateway?.stop(), counter?.stop(), sample?.stop(true), chain?.stop()]);
  home?.remove();
});

type Delivery = {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly sessionId?: string };
  readonly text: string;
};

/** An endpoint that accepts only signed deliveries and answers with a given status. */
function receiver(webhookSecret: () => string, answer: (count: number) => number = () => 204) {
  const got: Delivery[] = [];
  let requests = 0;
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      const text = await request.text();
      const event = await verifyWebhook({ headers: request.headers, body: text }, { secret: webhookSecret() }).catch(
        () => undefined,
      );
      if (event === undefined || request.headers.get('webhook-id') !== event.id)
        return new Response(null, { status: 401 });
      requests += 1;
      const status = answer(requests);
      if (status < 300) got.push({ ...event, text });
      return new Response(null, {
        status,
        ...(status === 302 ? { headers: { Location: 'http://127.0.0.1:1/' } } : {}),
      });
    },
  });
  return { url: `127.0.0.1:${server.port}/hook`, got, requests: () => requests, stop: () => server.stop(true) };
}

type Listening = {
  readonly output: () => string;
  readonly end: () => Promise<{ code: number; stdout: string; stderr: string }>;
};

async function listen(
  user: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Listening> {
  const ended = new AbortController();
  let output = '';
  const done = home.run(['listen', '--poll', '0.1', ...args], {
    environment: { FLOWGATE_URL: gateway.url, FLOWGATE_TOKEN: gateway.token(user), ...environment },
    signal: ended.signal,
    onOutput: (text) => {
      output += text;
    },
  });
  await Promise.race([until(() => output.includes('Listening.')), done]);
  return {
    output: () => output,
    end: () => {
      ended.abort(new Error('ended by SIGINT'));
      return done;
    },
  };
}

const flowOf = (user: string) => createFlowgate({ url: gateway.url, token: gateway.token(user) }).flow;

/** Three events of a new session: created, counted, completed, with the steps between them. */
async function count(user: string): Promise<string> {
  const { sessions } = flowOf(user);
  const { sessionId } = await sessions.start({ appId: 'acme/counter' });
  await sessions.submit(sessionId, 'count', { actionId: 'add', fieldValues: { amount: 1 }, stateVersion: 1 });
  await sessions.submit(sessionId, 'count', { actionId: 'finish', stateVersion: 2 });
  return sessionId;
}

const whole = ['session_created', 'step_submitted', 'counted', 'step_submitted', 'session_completed'];

test('events of a sample app reach a local endpoint once and in order, signed with the printed secret', async () => {
  const hook = receiver(() => /whsec_\S+/.exec(listening.output())?.[0] ?? 'none');
  const listening = await listen('ada', ['--forward-to', hook.url, '--app', 'flowgate/deploy-contract']);
  const { sessions } = flowOf('ada');
  const { sessionId } = await sessions.start({ appId: 'flowgate/deploy-contract' });
  const fieldValues = { contract: 'counter', firstNumber: 1, from: account.address };
  const prepared = await sessions.submit(sessionId, 'choose', { actionId: 'prepare', fieldValues, stateVersion: 1 });
  const signedTransaction = await account.signTransaction(
    unsigned(prepared.currentStep.transaction as PreparedTransaction),
  );
  let session = await sessions.submit(sessionId, 'sign', {
    actionId: 'deploy',
    fieldValues: { signedTransaction },
    stateVersion: 2,
  });
  while (session.currentStep.stepId === 'pending')
    session = await sessions.submit(sessionId, 'pending', { actionId: 'check', stateVersion: session.stateVersion });
  await sessions.submit(sessionId, 'result', { actionId: 'finish', stateVersion: session.stateVersion });
  // The sessions of another app are not requested.
  await count('ada');
  await until(() => hook.got.some(({ type }) => type === 'session_completed'));
  const { code } = await listening.end();
  const { data } = await sessions.events(sessionId, { limit: 100 });
  expect(hook.got.map(({ id }) => id)).toEqual(data.map(({ id }) => id));
  expect(hook.got.map(({ type }) => type)).toContain('contract_deployed');
  // As in the gateway's own delivery.
  expect(hook.got[0]?.text).toBe(
    JSON.stringify({ id: data[0]?.id, type: data[0]?.type, timestamp: data[0]?.timestamp, data: data[0]?.data }),
  );
  expect(code).toBe(130);
  await hook.stop();
});

test('listen delivers only new events of the requested types, including those of sessions that end between two polls', async () => {
  await count('bob');
  const hook = receiver(() => 'a secret of my own');
  const listening = await listen(
    'bob',
    ['--forward-to', hook.url, '--event', 'counted', '--event', 'session_completed'],
    { WEBHOOK_SECRET: 'a secret of my own' },
  );
  const ids = await Promise.all([count('bob'), count('bob'), count('bob')]);
  await count('eve');
  await until(() => hook.got.length >= 6);
  const { stdout } = await listening.end();
  expect(hook.got.map(({ type, data }) => `${data.sessionId} ${type}`).toSorted()).toEqual(
    ids.flatMap((id) => [`${id} counted`, `${id} session_completed`]).toSorted(),
  );
  expect(stdout).not.toContain('a secret of my own');
  await hook.stop();
});

test('an older session delivers its events from now on; refusals of the endpoint are retried, also after the session ended, and do not block other events', async () => {
  const { sessions } = flowOf('carol');
  const { sessionId } = await sessions.start({ appId: 'acme/counter' });
  const hook = receiver(
    () => 'sixteen characters',
    (requests) => (requests === 1 ? 500 : requests === 3 ? 302 : 200),
  );
  const listening = await listen('carol', ['--forward-to', hook.url], { WEBHOOK_SECRET: 'sixteen characters' });
  await sessions.submit(sessionId, 'count', { actionId: 'add', fieldValues: { amount: 1 }, stateVersion: 1 });
  await sessions.submit(sessionId, 'count', { actionId: 'finish', stateVersion: 2 });
  await until(() => hook.got.length >= 4);
  const { stdout } = await listening.end();
  expect(hook.got.map(({ type }) => type).toSorted()).toEqual([
    'counted',
    'session_completed',
    'step_submitted',
    'step_submitted',
  ]);
  expect(new Set(hook.got.map(({ id }) => id)).size).toBe(4);
  expect(hook.got[0]?.type).toBe('counted');
  expect(stdout).toMatch(/→ 500 \(\d+ ms\), again in 0\.5 s/);
  expect(stdout).toMatch(/→ 302 \(\d+ ms\), again in 0\.5 s/);
  await hook.stop();
});

test('--replay delivers events since a time or from an event id, in order; an unknown event id is refused', async () => {
  const [first, second] = [await count('dan'), await count('dan')];
  const hook = receiver(() => 'sixteen characters');
  const replay = async (place: string) => {
    hook.got.length = 0;
    const listening = await listen('dan', ['--forward-to', hook.url, '--replay', place, '--no-follow', '--json'], {
      WEBHOOK_SECRET: 'sixteen characters',
    });
    const { code, stdout } = await listening.end();
    const [ready, ...reported] = stdout
      .trimEnd()
      .split('\n')
      .map((each) => JSON.parse(each));
    expect(ready).toEqual({ type: 'ready', url: `http://${hook.url}` });
    expect(reported.map(({ event }: { event: Delivery }) => event.id)).toEqual(hook.got.map(({ id }) => id));
    return code;
  };
  // The program has already ended, so the signal has no effect.
  await replay('1h');
  expect(hook.got.map(({ data, type }) => [data.sessionId ?? '', type])).toEqual([
    ...whole.map((type) => [first, type]),
    ...whole.map((type) => [second, type]),
  ]);
  const counted = hook.got[7];
  await replay(counted?.id ?? '');
  expect(hook.got.map(({ type }) => type)).toEqual(['counted', 'step_submitted', 'session_completed']);
  await replay(new Date(Date.now() + 60_000).toISOString());
  expect(hook.got).toEqual([]);
  const environment = { FLOWGATE_URL: gateway.url, FLOWGATE_TOKEN: gateway.token('dan') };
  const ask = (place: string) =>
    home.run(['listen', '--forward-to', hook.url, '--no-follow', '--replay', place], { environment });
  const unknown = await ask('evt_01KAJ0Z6V2M8T4Q9R3WX5Y7ABC');
  expect([unknown.code, unknown.stderr]).toEqual([
    1,
    expect.stringContaining('no event evt_01KAJ0Z6V2M8T4Q9R3WX5Y7ABC'),
  ]);
  expect((await ask('yesterday')).code).toBe(2);
  const theirs = await home.run(['listen', '--forward-to', hook.url, '--no-follow', '--replay', counted?.id ?? ''], {
    environment: { ...environment, FLOWGATE_TOKEN: gateway.token('eve') },
  });
  expect(theirs.code).toBe(1);
  await hook.stop();
});

test('an endpoint that answers 410 ends listen; an invalid address is wrong usage, no gateway is exit code 3, a refused credential 1', async () => {
  const hook = receiver(
    () => 'sixteen characters',
    () => 410,
  );
  await count('fay');
  const environment = {
    FLOWGATE_URL: gateway.url,
    FLOWGATE_TOKEN: gateway.token('fay'),
    WEBHOOK_SECRET: 'sixteen characters',
  };
  const gone = await home.run(['listen', '--forward-to', hook.url, '--replay', '1h'], { environment });
  expect([gone.code, gone.stderr, hook.requests()]).toEqual([1, expect.stringContaining('answered 410'), 1]);
  for (const target of ['ftp://x', 'http://user:pass@127.0.0.1/', 'http://'])
    expect((await home.run(['listen', '--forward-to', target], { environment })).code).toBe(2);
  expect((await home.run(['listen', '--forward-to', '1', '--poll', '0'], { environment })).code).toBe(2);
  expect(
    (
      await home.run(['listen', '--forward-to', '1'], {
        environment: { ...environment, FLOWGATE_URL: 'http://127.0.0.1:1' },
      })
    ).code,
  ).toBe(3);
  expect(
    (await home.run(['listen', '--forward-to', '1'], { environment: { ...environment, FLOWGATE_TOKEN: 'x' } })).code,
  ).toBe(1);
  await hook.stop();
});
