/**
 * A gateway sends texts that passed the content filter to a classifier: responses of apps, app data, names of apps
 * (contract/flow-apps#classifier).
 */

import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import { readMetrics, sampleValue } from '@flowgate/testing/metrics-text';
import { Webhook } from 'standardwebhooks';
import { expectProblem, jsonBody } from '../../apps/gateway/test/fixtures/answers.ts';
import { counter, countStep } from '../../apps/gateway/test/fixtures/flow-app.ts';
import { flowClient } from '../../apps/gateway/test/fixtures/flow-client.ts';
import { type FlowGateway, startFlowGateway } from '../../apps/gateway/test/fixtures/flow-gateway.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

type Question = {
  readonly appId: string;
  readonly texts: readonly { readonly pointer: string; readonly text: string }[];
};

/** Refuses texts with this word, which no rule of the gateway contains. */
const knownToTheModel = 'xyzzy';
const refuseKnown = ({ texts }: Question) =>
  Response.json({ refused: texts.flatMap(({ text }, nth) => (text.includes(knownToTheModel) ? [nth] : [])) });

let questions: Question[];
let reply: (question: Question) => Response | Promise<Response>;
let classifier: ReturnType<typeof Bun.serve>;
let refusing: FlowGateway;
let allowing: FlowGateway;

beforeAll(async () => {
  reply = refuseKnown;
  questions = [];
  classifier = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const question = new Webhook(secret).verify(
        await request.text(),
        Object.fromEntries(request.headers),
      ) as Question;
      questions.push(question);
      return reply(question);
    },
  });
  const flow = (onFailure: string) => ({
    contentFilter: { classifier: { url: `${classifier.url}texts`, secret, onFailure, timeoutMs: 20_000 } },
  });
  [refusing, allowing] = await Promise.all([
    startFlowGateway({ flow: flow('refuse'), server: { metrics: { port: 0 } } }),
    startFlowGateway({ flow: flow('allow') }),
  ]);
});
afterAll(async () => {
  await Promise.all([refusing.stop(), allowing.stop()]);
  await classifier.stop(true);
});
beforeEach(() => {
  reply = refuseKnown;
  questions = [];
  for (const { app } of [refusing, allowing]) app.script(counter);
});

const badGateway = { status: 502, type: 'bad-gateway', title: 'Bad gateway' };
const hostileStep = () => ({ step: { ...countStep(0), description: `Please ${knownToTheModel}` } });
const startOn = ({ gateway }: FlowGateway) => flowClient(gateway).postOnce('/flow/sessions', { appId: 'acme/counter' });

test('texts of a valid app pass the classifier, which receives the app, the texts and their pointers', async () => {
  const session = await flowClient(refusing.gateway).start();
  expect(session.currentStep).toEqual(countStep(0));
  expect(questions).toHaveLength(1);
  expect(questions[0]?.appId).toBe('acme/counter');
  expect(questions[0]?.texts).toContainEqual({ pointer: '/step/description', text: 'Counted to 0' });
});

test('a text that the classifier refuses is 502 with its pointer and changes nothing, for both values of onFailure', async () => {
  for (const each of [refusing, allowing]) {
    const session = await flowClient(each.gateway).start();
    each.app.script(hostileStep);
    expect(await expectProblem(await startOn(each), { ...badGateway, retryable: false })).toBe(
      'content-filter rule classifier rejected text at /step/description',
    );
    each.app.script(counter);
    expect((await flowClient(each.gateway).add(session, 2)).stateVersion).toBe(session.stateVersion + 1);
  }
});

test('app data is classified when a query returns it', async () => {
  const client = flowClient(refusing.gateway, 'bob');
  refusing.app.script(() => ({ step: countStep(0), appData: { set: { total: { note: `say ${knownToTheModel}` } } } }));
  await client.start();
  const shown = await client.get('/flow/queries/acme%2Fcounter/total');
  expect(await expectProblem(shown, { ...badGateway, retryable: false })).toBe(
    'content-filter rule classifier rejected text at /data/note',
  );
});

test('the name and description of an app are classified when it is registered', async () => {
  const register = (description: string) =>
    flowClient(refusing.gateway, 'author').postOnce('/flow/registry/apps', {
      ...{ appId: 'author/app', name: 'An app', visibility: 'public', description },
    });
  const refused = await register(`It does ${knownToTheModel}`);
  expect(refused.status).toBe(400);
  expect(JSON.stringify(await jsonBody(refused))).toContain('description: content-filter rule classifier');
  expect((await register('It counts')).status).toBe(201);
});

test('a failing classifier causes a 502 that may be retried, or lets the response pass where onFailure allows it', async () => {
  reply = () => new Response('overloaded', { status: 500 });
  expect(await expectProblem(await startOn(refusing), { ...badGateway, retryable: true })).toBe(
    "the app's answer could not be classified",
  );
  expect((await startOn(allowing)).status).toBe(201);
});

test('more text than maxBytes is not classified: refused permanently, or allowed', async () => {
  const options = { text: 'some words '.repeat(7_000) };
  for (const { app } of [refusing, allowing]) app.script(() => ({ step: { ...countStep(0), options } }));
  expect(await expectProblem(await startOn(refusing), { ...badGateway, retryable: false })).toBe(
    "the app's answer has more text than can be classified",
  );
  expect((await startOn(allowing)).status).toBe(201);
  expect(questions).toEqual([]);
});

test('outcomes are counted, and the log contains neither the secret nor a text', async () => {
  const port = Number(/"event":"metrics.listening".*?"port":(\d+)/.exec(refusing.gateway.output())?.[1]);
  const families = readMetrics(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text(), 'prometheus');
  const count = (outcome: string) => sampleValue(families, 'flowgate_flow_classifications_total', { outcome });
  expect(count('busy')).toBe(0);
  for (const outcome of ['allowed', 'refused', 'failed', 'too-large'])
    expect([outcome, (count(outcome) ?? 0) > 0]).toEqual([outcome, true]);
  for (const { gateway } of [refusing, allowing]) {
    expect(gateway.output()).toContain('flow.classifier.failed');
    expect(gateway.output()).not.toMatch(/whsec_|xyzzy|some words/);
  }
});
