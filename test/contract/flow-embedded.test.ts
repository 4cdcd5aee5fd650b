/** Flow Apps that run inside the gateway (contract/flow-apps#downstream). */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectProblem, jsonBody } from '../../apps/gateway/test/fixtures/answers.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

const directory = mkdtempSync(join(tmpdir(), 'flowgate-embedded-'));
const file = join(directory, 'hello.ts');
let gateway: RunningGateway;

const writeApp = (version: string, more = '') =>
  Bun.write(
    file,
    `export default {
      appId: 'built-in/hello', name: 'Hello', version: '${version}', steps: [{ stepId: 'hello' }, { stepId: 'bye' }],
      renderStep({ submission, session }) {
        if (submission !== undefined) return { step: { stepId: 'bye', title: 'Bye', fields: [], actions: [], terminal: true } };
        return { step: { stepId: 'hello', title: 'Hello', description: session.userId, fields: [], actions: [{ actionId: 'go', label: 'Go' }] } };
      },
      ${more}
    };`,
  );

beforeAll(async () => {
  await writeApp('1.0.0');
  gateway = await startGateway({ config: { flow: { embeddedApps: [file] } } });
});
afterAll(async () => {
  await gateway.stop();
  rmSync(directory, { recursive: true, force: true });
});

const as = (sub: string, more: Readonly<Record<string, string>> = {}) => ({
  Authorization: `Bearer ${gateway.token(sub)}`,
  'Content-Type': 'application/json',
  ...more,
});
const appPath = '/flow/registry/apps/built-in/hello';
const get = async (path: string) => jsonBody(await gateway.fetch(path, { headers: as('alice') }));
const post = (sub: string, path: string, body: unknown, more: Readonly<Record<string, string>> = {}) =>
  gateway.fetch(path, { method: 'POST', headers: as(sub, more), body: JSON.stringify(body) });

test('an embedded app is public, no user can publish or retire it, and its publisher name is taken (contract/flow-apps#downstream)', async () => {
  expect(await get(appPath)).toMatchObject({ visibility: 'public', latestVersion: '1.0.0' });
  expect(await get(`${appPath}/versions/1.0.0`)).toMatchObject({ baseUrl: 'embedded:', startSteps: ['hello'] });
  const forbidden = { status: 403, type: 'unauthorized', title: 'Forbidden', retryable: false };
  await expectProblem(await post('alice', `${appPath}/versions`, {}), forbidden);
  await expectProblem(await post('alice', `${appPath}/versions/1.0.0/retire`, {}), forbidden);
  const registration = { appId: 'built-in/other', name: 'Other' };
  await expectProblem(await post('alice', '/flow/registry/apps', registration), forbidden);
});

test('a session with an embedded app works like one with any other app (contract/flow-apps#downstream)', async () => {
  const started = await post('alice', '/flow/sessions', { appId: 'built-in/hello' });
  const session = await jsonBody(started);
  expect([started.status, session]).toMatchObject([201, { status: 'active', currentStep: { stepId: 'hello' } }]);
  expect(JSON.stringify(session)).toMatch(/"description":"usr_[A-Za-z0-9_-]{43}"/);
  const submitted = await post(
    'alice',
    `/flow/sessions/${session['sessionId']}/steps/hello`,
    { actionId: 'go', fieldValues: {}, stateVersion: 1 },
    { 'Idempotency-Key': 'k1' },
  );
  expect([submitted.status, await jsonBody(submitted)]).toMatchObject([200, { status: 'completed', stateVersion: 2 }]);
});

test('a start with another version retires the previous one; startup fails when a module exports no app (contract/flow-apps#downstream)', async () => {
  await writeApp('2.0.0');
  await gateway.restart();
  expect(await get(appPath)).toMatchObject({ latestVersion: '2.0.0' });
  expect(await get(`${appPath}/versions/1.0.0`)).toMatchObject({ status: 'retired' });
  await writeApp('2.0.1', 'renderStep: 7');
  const failed = await gateway.restart().then(
    () => 'it started',
    (error: Error) => error.message,
  );
  expect(failed).toContain('the gateway ended with 1');
  expect(failed).toContain(
    `flow.embeddedApps[0] (${file}): the default export is no app: renderStep must be a function`,
  );
});
