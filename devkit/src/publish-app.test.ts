/** Publishing a sample app at each start leaves one active version, with or without changes. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { createFlowgate } from '@flowgate/client';
import { createFlowAppHandler } from '@flowgate/client/flow-app';
import type { Version } from '@flowgate/client/flow-wire';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import { testSecret } from '../test/app-driver.ts';
import { publishApp, withdrawApp } from './publish-app.ts';
import type { Publication } from './sample-apps.ts';

let gateway: RunningGateway;
const servers: Bun.Server<undefined>[] = [];

beforeAll(async () => {
  gateway = await startGateway({ config: { outbound: { allowPrivateHosts: ['127.0.0.1'] } } });
});
afterAll(async () => {
  await gateway?.stop();
  for (const server of servers) await server.stop(true);
});

/** A new address each time. */
function publication(): Publication {
  const step = { stepId: 'only', title: 'Only', fields: [], actions: [], terminal: true };
  const fetch = createFlowAppHandler({ renderStep: () => ({ step }) }, { signingSecret: testSecret });
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch });
  servers.push(server);
  return {
    app: { appId: 'flowgate/only', name: 'Only', visibility: 'public' },
    version: { baseUrl: server.url.origin, signingSecret: testSecret, steps: [{ stepId: 'only' }] },
  };
}

test('an equal publication changes nothing; another address or manifest becomes the next version, and the older one is retired', async () => {
  const client = createFlowgate({ url: gateway.url, token: gateway.token('admin') });
  const versions = async () => {
    const found: string[] = [];
    const reported = ({ version, status }: Version) => found.push(`${version} ${status}`);
    for await (const each of client.flow.versions.list('flowgate/only')) reported(each);
    return found;
  };
  const first = publication();
  for (let starts = 0; starts < 3; starts += 1) await publishApp(client, first);
  expect(await versions()).toEqual(['1.0.0 active']);

  const elsewhere = publication();
  await publishApp(client, elsewhere);
  expect(await versions()).toEqual(['1.0.1 active', '1.0.0 retired']);

  const steps = [{ stepId: 'only' }, { stepId: 'more' }];
  await publishApp(client, { ...elsewhere, version: { ...elsewhere.version, steps } });
  expect(await versions()).toEqual(['1.0.2 active', '1.0.1 retired', '1.0.0 retired']);

  const session = await client.flow.sessions.start({ appId: 'flowgate/only' });
  expect(session).toMatchObject({ version: '1.0.2', status: 'completed' });
});

test('a withdrawn app cannot be started until it is published again; withdrawing an unknown app does nothing', async () => {
  const client = createFlowgate({ url: gateway.url, token: gateway.token('admin') });
  const { app, version } = publication();
  const gone = { app: { ...app, appId: 'flowgate/gone' }, version };
  await publishApp(client, gone);
  for (let starts = 0; starts < 2; starts += 1) await withdrawApp(client, 'flowgate/gone');
  const refused: unknown = await client.flow.sessions
    .start({ appId: 'flowgate/gone' })
    .catch((error: unknown) => error);
  expect(refused).toMatchObject({ status: 410 });
  await publishApp(client, gone);
  expect(await client.flow.sessions.start({ appId: 'flowgate/gone' })).toMatchObject({ version: '1.0.1' });
  await withdrawApp(client, 'flowgate/never');
});
