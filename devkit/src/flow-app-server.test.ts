/** The kit that Flow Apps are written with keeps what the gateway relies on: signatures, one effect for each key, honest failures. */
import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RenderResponse } from '@flowgate/client/flow-wire';
import { renderRequest, signedPost, submitRequest, testSecret } from '../test/app-driver.ts';
import { createMemoryJournal, type EffectJournal, openJournalFile } from './effect-journal.ts';
import { createFlowAppServer, type FlowAppServerOptions, type RenderStep } from './flow-app-server.ts';

const step = { stepId: 'first', title: 'First', fields: [], actions: [] };

/** Acts by counting, and answers the count. */
function countingApp(options: Partial<FlowAppServerOptions> = {}) {
  let effects = 0;
  const renderStep: RenderStep = () => {
    effects += 1;
    return { step: { ...step, title: `effect ${effects}` } };
  };
  const app = createFlowAppServer({
    ...{ renderStep, signingSecrets: [testSecret], journal: createMemoryJournal() },
    ...options,
  });
  return { app, effects: () => effects };
}

const submitted = (key: string) => JSON.stringify(submitRequest('first', 'go', {}, {}, key));

test('a request without a signature, with another secret’s, for another body or six minutes old is 401 and renders nothing (contract/flow-apps#downstream)', async () => {
  const { app, effects } = countingApp();
  const body = JSON.stringify(renderRequest());
  const rightly = signedPost(body);
  const old = new Date(Date.now() - 6 * 60_000);
  const wrong = [
    new Request(rightly.url, { method: 'POST', body }),
    signedPost(body, { secret: `whsec_${Buffer.from('another secret').toString('base64')}` }),
    new Request(rightly.url, { method: 'POST', body: `${body} `, headers: rightly.headers }),
    signedPost(body, { at: old }),
  ];
  for (const request of wrong) expect((await app(request)).status).toBe(401);
  expect(effects()).toBe(0);
  expect((await app(signedPost(body))).status).toBe(200);
});

test('while a secret is replaced both the old and the new one are accepted', async () => {
  const next = `whsec_${Buffer.from('the next secret').toString('base64')}`;
  const { app } = countingApp({ signingSecrets: [testSecret, next] });
  for (const secret of [testSecret, next])
    expect((await app(signedPost(JSON.stringify(renderRequest()), { secret }))).status).toBe(200);
});

test('health is 200 without a signature; other paths, methods and protocol versions are refused', async () => {
  const { app } = countingApp({ basePath: '/an-app' });
  const at = (path: string, init: RequestInit = {}) => app(new Request(`http://127.0.0.1${path}`, init));
  expect((await at('/an-app/health')).status).toBe(200);
  expect((await at('/health')).status).toBe(404);
  expect((await at('/an-app/health', { method: 'POST' })).status).toBe(405);
  expect((await at('/an-app/renderStep')).status).toBe(405);
  const other = JSON.stringify({ ...renderRequest(), protocolVersion: '2' });
  expect((await app(signedPost(other, { path: '/an-app/renderStep' }))).status).toBe(400);
});

test('what the reducer throws is a 500 that does not repeat it, and the retry of its key runs again (contract/flow-apps)', async () => {
  const failures: unknown[] = [];
  let calls = 0;
  const renderStep: RenderStep = () => {
    calls += 1;
    if (calls === 1) throw new Error('the node at 10.0.0.1 is unavailable');
    return { step };
  };
  const { app } = countingApp({ renderStep, onError: (error) => failures.push(error) });
  const failed = await app(signedPost(submitted('k')));
  expect(failed.status).toBe(500);
  expect(await failed.text()).not.toContain('10.0.0.1');
  expect(failures).toEqual([new Error('the node at 10.0.0.1 is unavailable')]);
  expect((await app(signedPost(submitted('k')))).status).toBe(200);
});

test('an answer with errors is not kept: the same key, better filled in, is acted on (contract/flow-apps)', async () => {
  const answers: RenderResponse[] = [{ step, errors: [{ message: 'no' }] }, { step: { ...step, title: 'yes' } }];
  const { app } = countingApp({ renderStep: () => answers.shift() ?? { step } });
  const ask = async () => (await app(signedPost(submitted('k')))).json();
  expect(await ask()).toMatchObject({ errors: [{ message: 'no' }] });
  expect(await ask()).toEqual({ step: { ...step, title: 'yes' } });
  expect(await ask()).toEqual({ step: { ...step, title: 'yes' } });
});

const place = () => {
  const directory = mkdtempSync(join(tmpdir(), 'flowgate-journal-'));
  return { file: join(directory, 'journal.db'), remove: () => rmSync(directory, { recursive: true, force: true }) };
};

for (const engine of ['memory', 'file'] as const) {
  test(`a hundred copies of one submission act once and get one answer (${engine})`, async () => {
    const { file, remove } = place();
    const journal: EffectJournal = engine === 'memory' ? createMemoryJournal() : openJournalFile(file);
    const { app, effects } = countingApp({ journal });
    const copies = Array.from({ length: 100 }, async () => (await app(signedPost(submitted('k')))).text());
    const answers = new Set(await Promise.all(copies));
    expect(effects()).toBe(1);
    expect([...answers]).toEqual([JSON.stringify({ step: { ...step, title: 'effect 1' } })]);
    await app(signedPost(submitted('another key')));
    expect(effects()).toBe(2);
    journal.close();
    remove();
  });
}

test('a journal in a file answers a retry after the app was started again, and forgets it after a week', async () => {
  const { file, remove } = place();
  const first = openJournalFile(file);
  const before = await (await countingApp({ journal: first }).app(signedPost(submitted('k')))).text();
  first.close();

  const second = openJournalFile(file);
  const restarted = countingApp({ journal: second });
  expect(await (await restarted.app(signedPost(submitted('k')))).text()).toBe(before);
  expect(restarted.effects()).toBe(0);
  second.close();

  const third = openJournalFile(file, () => Date.now() + 8 * 24 * 3_600_000);
  const later = countingApp({ journal: third });
  await later.app(signedPost(submitted('k')));
  expect(later.effects()).toBe(1);
  third.close();
  remove();
});

test('two apps with one journal do not answer for each other', async () => {
  const journal = createMemoryJournal();
  const { app, effects } = countingApp({ journal });
  const session = { ...renderRequest().session, appId: 'flowgate/other' };
  await app(signedPost(submitted('k')));
  await app(signedPost(JSON.stringify(submitRequest('first', 'go', {}, { session }, 'k'))));
  expect(effects()).toBe(2);
});
