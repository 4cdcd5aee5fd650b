import { expect, test } from 'bun:test';
import type { SafeReply, SafeRequest } from '@flowgate/http1/safe-fetch/safe-fetch';
import { Registry } from '@flowgate/telemetry/metrics/registry';
import { Webhook } from 'standardwebhooks';
import {
  type Classification,
  type ClassifierSettings,
  createClassifyTexts,
  maxInFlight,
  maxInFlightOfApp,
  maxInFlightOfUser,
} from './classify-texts.ts';

const settings: ClassifierSettings = {
  url: 'https://classifier.example/texts',
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  timeoutMs: 1_000,
  onFailure: 'refuse',
  maxBytes: 1_024,
};
const shop = { appId: 'acme/shop', userId: 'usr_shop' };
let users = 0;
function newUser(): string {
  users += 1;
  return `usr_${users}`;
}
const step = { step: { title: 'Pay the invoice', description: 'In two steps' } };

const answered = (body: string, status = 200): SafeReply => ({
  ok: true,
  status,
  headers: new Map(),
  body: Buffer.from(body),
});

function open(
  answer: (request: SafeRequest) => SafeReply | Promise<SafeReply>,
  more: Partial<ClassifierSettings> = {},
) {
  const requests: SafeRequest[] = [];
  const logged: unknown[] = [];
  const registry = new Registry();
  const outcomes = registry.counter({ name: 'outcomes', kind: 'counter', help: '', labels: ['outcome'] });
  const classify = createClassifyTexts({
    settings: { ...settings, ...more },
    async request(request) {
      requests.push(request);
      return answer(request);
    },
    clock: { now: () => Date.now() },
    newRequestId: () => `req_${requests.length}`,
    log: { warn: (event, fields) => logged.push({ event, ...fields }) },
    outcomes,
  });
  return { classify, requests, logged, count: (outcome: string) => outcomes.with(outcome).value };
}

test('a request is signed according to Standard Webhooks, and contains the app and its texts with pointers (contract/flow-apps#classifier)', async () => {
  const { classify, requests, count } = open(() => answered('{"refused":[]}'));
  expect(await classify(shop, step)).toEqual({ kind: 'allowed' });
  const [request] = requests;
  expect(request).toMatchObject({ url: settings.url, method: 'POST', vouched: true, timeoutMs: 1_000 });
  expect(new Webhook(settings.secret).verify(request?.body ?? '', { ...request?.headers })).toEqual({
    appId: 'acme/shop',
    texts: [
      { pointer: '/step/title', text: 'Pay the invoice' },
      { pointer: '/step/description', text: 'In two steps' },
    ],
  });
  expect(count('allowed')).toBe(1);
});

test('the first refused text is named, regardless of the order of the verdicts', async () => {
  const { classify, count } = open(() => answered('{"refused":[1,0]}'));
  expect(await classify(shop, step)).toEqual({ kind: 'refused', ruleId: 'classifier', pointer: '/step/title' });
  expect(count('refused')).toBe(1);
});

test('a response without words is not sent to the classifier', async () => {
  const { classify, requests } = open(() => answered('{"refused":[0]}'));
  expect(await classify(shop, { step: { title: '', data: '0xabcd', amount: 5 } })).toEqual({ kind: 'allowed' });
  expect(requests).toEqual([]);
});

const failures: readonly (readonly [string, SafeReply])[] = [
  ['no answer in time', { ok: false, failure: 'timeout', sent: true, detail: 'no answer in time' }],
  ['another status', answered('{"refused":[]}', 500)],
  ['a redirect', answered('', 302)],
  ['no JSON', answered('I think it is fine')],
  ['another shape', answered('{"allowed":true}')],
  ['an index out of range', answered('{"refused":[2]}')],
  ['an index that is no number', answered('{"refused":["0"]}')],
  ['a fraction', answered('{"refused":[0.5]}')],
];

test.each(failures)('%s: onFailure decides, and the log names the app and no text', async (_, reply) => {
  const refusing = open(() => reply);
  expect(await refusing.classify(shop, step)).toEqual({ kind: 'unclassified', tooLarge: false });
  const allowing = open(() => reply, { onFailure: 'allow' });
  expect(await allowing.classify(shop, step)).toEqual({ kind: 'allowed' });
  for (const { logged, count } of [refusing, allowing]) {
    expect(logged).toMatchObject([{ event: 'flow.classifier.failed', appId: 'acme/shop' }]);
    expect(JSON.stringify(logged)).not.toMatch(/invoice|whsec|classifier\.example/);
    expect([count('failed'), count('allowed')]).toEqual([1, 0]);
  }
});

test('texts above the limit are not sent, and onFailure decides', async () => {
  const large = { step: { title: 'word '.repeat(300) } };
  const refusing = open(() => answered('{"refused":[]}'));
  expect(await refusing.classify(shop, large)).toEqual({ kind: 'unclassified', tooLarge: true });
  const allowing = open(() => answered('{"refused":[0]}'), { onFailure: 'allow' });
  expect(await allowing.classify(shop, large)).toEqual({ kind: 'allowed' });
  expect([refusing.requests, allowing.requests, allowing.count('too-large')]).toEqual([[], [], 1]);
});

test('an app at its limit of requests in flight is busy even if failures are allowed, and other apps are not affected', async () => {
  const pendingReply = Promise.withResolvers<SafeReply>();
  const { classify, count } = open(() => pendingReply.promise, { onFailure: 'allow' });
  const first = Array.from({ length: maxInFlightOfApp }, () =>
    classify({ appId: 'evil/app', userId: newUser() }, step),
  );
  expect(await classify({ appId: 'evil/app', userId: newUser() }, step)).toEqual({ kind: 'busy' });
  const other = classify(shop, step);
  pendingReply.resolve(answered('{"refused":[]}'));
  const ended: readonly Classification[] = await Promise.all([...first, other]);
  expect(ended).toEqual(Array.from({ length: maxInFlightOfApp + 1 }, () => ({ kind: 'allowed' })));
  expect(await classify({ appId: 'evil/app', userId: newUser() }, step)).toEqual({ kind: 'allowed' });
  expect(count('busy')).toBe(1);
});

test('requests in flight of all apps together are limited', async () => {
  const pendingReply = Promise.withResolvers<SafeReply>();
  const { classify } = open(() => pendingReply.promise, { onFailure: 'allow' });
  const all = Array.from({ length: maxInFlight }, (_, nth) =>
    classify({ appId: `app/${nth}`, userId: `usr_${nth}` }, step),
  );
  expect(await classify(shop, step)).toEqual({ kind: 'busy' });
  pendingReply.resolve(answered('{"refused":[]}'));
  await Promise.all(all);
});

test.each([429, 503])(
  'status %i means an overloaded classifier: the texts are refused with a retryable error, even if failures are allowed',
  async (status) => {
    const { classify, logged, count } = open(() => answered('', status), { onFailure: 'allow' });
    expect(await classify(shop, step)).toEqual({ kind: 'busy' });
    expect([count('busy'), count('failed'), logged]).toEqual([1, 0, []]);
  },
);

test('requests of one user over all apps are limited, and other users of an app are served', async () => {
  const pendingReply = Promise.withResolvers<SafeReply>();
  const { classify } = open(() => pendingReply.promise, { onFailure: 'allow' });
  const first = Array.from({ length: maxInFlightOfUser }, (_, nth) =>
    classify({ appId: `app/${nth % 2}`, userId: 'usr_greedy' }, step),
  );
  expect(await classify({ appId: 'app/other', userId: 'usr_greedy' }, step)).toEqual({ kind: 'busy' });
  const other = classify({ appId: 'app/0', userId: 'usr_other' }, step);
  pendingReply.resolve(answered('{"refused":[]}'));
  const ended: readonly Classification[] = await Promise.all([...first, other]);
  expect(ended).toEqual(Array.from({ length: maxInFlightOfUser + 1 }, () => ({ kind: 'allowed' })));
  expect(await classify({ appId: 'app/0', userId: 'usr_greedy' }, step)).toEqual({ kind: 'allowed' });
});

test.each([1, 2, 4])(
  'with %i times as many users as the limit, the limit of requests is sent and the rest is refused at once',
  async (times) => {
    const pendingReply = Promise.withResolvers<SafeReply>();
    const { classify, requests, count } = open(() => pendingReply.promise);
    const all = Array.from({ length: maxInFlight * times }, (_, nth) =>
      classify({ appId: `app/${nth}`, userId: `usr_${nth}` }, step),
    );
    expect([requests.length, count('busy')]).toEqual([maxInFlight, maxInFlight * (times - 1)]);
    pendingReply.resolve(answered('{"refused":[]}'));
    await Promise.all(all);
  },
);
