/** The files of a new app, which runs, has a test and can be published. */

export type TemplateFile = { readonly path: string; readonly text: string; readonly isSecret?: true };

export type TemplateValues = { readonly appId: string; readonly signingSecret: string; readonly clientVersion: string };

export function templateFiles({ appId, signingSecret, clientVersion }: TemplateValues): readonly TemplateFile[] {
  const slug = appId.slice(appId.indexOf('/') + 1);
  return [
    { path: 'flow-app.yaml', text: manifest(appId) },
    { path: 'src/app.ts', text: app(appId) },
    { path: 'src/app.test.ts', text: appTest },
    { path: 'src/serve.ts', text: serve },
    { path: 'package.json', text: packageJson(slug, clientVersion) },
    { path: 'tsconfig.json', text: tsconfig },
    { path: 'README.md', text: readme(appId) },
    { path: '.env', text: `SIGNING_SECRET=${signingSecret}\nPORT=3000\n`, isSecret: true },
    { path: '.gitignore', text: 'node_modules/\ndist/\n.env\n' },
  ];
}

const manifest = (
  appId: string,
) => `# What \`flowgate apps publish\` publishes. A version is never changed: publish the next one, and retire the old.
appId: ${appId}
name: Guestbook
description: Sign, and see who was here before.
visibility: private # or public: everybody may start sessions

version: 1.0.0
baseUrl: http://127.0.0.1:3000 # /renderStep and /health are below it

startSteps: [sign]
steps:
  - sign
  - thanks
queries:
  - queryId: names
    path: /names # JSON pointer into the app data of the caller
events:
  - signed
`;

const app = (appId: string) => `/** The app: its steps, and what each action leads to. */

import { createFlowApp } from '@flowgate/client/flow-app';

export const app = createFlowApp({
  appId: '${appId}',
  events: ['signed'],
  // What the app stores about this user, over all of their sessions. An older version may have written it.
  appData: ({ names }) => ({ names: Array.isArray(names) ? names.map(String) : [] }),
});

const sign = app.step('sign', {
  title: 'Sign the guestbook',
  fields: {
    name: { type: 'text', label: 'Your name', required: true, max: 50 },
  },
  actions: { sign: 'Sign' },
});

const thanks = app.step('thanks', { title: 'Thank you', terminal: true });

app.start(sign, ({ appData }) => {
  const [last] = appData.names.slice(-1);
  return sign.show({ description: last === undefined ? 'Be the first.' : \`Last time you were \${last}.\` });
});

sign.on('sign', ({ values, appData }) => {
  const name = values.name.trim();
  if (name === '') return sign.reject({ name: 'must not be blank' });
  const names = [...appData.names, name].slice(-100);
  return thanks.show({
    title: \`Thank you, \${name}\`,
    appData: { names },
    events: [{ type: 'signed', data: { count: names.length } }],
  });
});
`;

const appTest = `/** Drives the app as a gateway would: signed, checked against the contract, each submission delivered twice. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFlowAppTest } from '@flowgate/client/flow-app';
import { app } from './app.js';

test('a guest signs and is remembered', async () => {
  const gateway = createFlowAppTest(app);
  const session = await gateway.start();
  assert.equal(session.step.description, 'Be the first.');
  await session.submit('sign', { name: 'Ada' });
  assert.equal(session.status, 'completed');
  assert.equal(session.step.title, 'Thank you, Ada');
  assert.equal(session.events[0]?.data['count'], 1);
  assert.equal((await gateway.start()).step.description, 'Last time you were Ada.');
});

test('a blank name is refused at its field', async () => {
  const session = await createFlowAppTest(app).start();
  const { errors } = await session.submit('sign', { name: ' ' });
  assert.deepEqual(errors, [{ fieldId: 'name', message: 'must not be blank' }]);
});
`;

const serve = `/** Serves the app over HTTP. Its responses are stored in memory: give \`store\` a table of your database before it acts on anything that matters. */

import { createServer } from 'node:http';
import { createFlowAppHandler, toNodeListener } from '@flowgate/client/flow-app';
import { app } from './app.js';

// Several, separated by commas, while one replaces another.
const signingSecret = (process.env['SIGNING_SECRET'] ?? '').split(',');
const server = createServer(toNodeListener(createFlowAppHandler(app, { signingSecret })));

server.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1', () => {
  const address = server.address();
  console.log(\`listening on http://127.0.0.1:\${typeof address === 'object' ? address?.port : ''}\`);
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.close(() => process.exit(0)));
`;

const packageJson = (slug: string, clientVersion: string) => `${JSON.stringify(
  {
    name: slug,
    version: '1.0.0',
    private: true,
    type: 'module',
    engines: { node: '>=20.6' },
    scripts: {
      start: 'tsc && node --env-file=.env dist/serve.js',
      test: 'tsc && node --test dist/',
    },
    dependencies: { '@flowgate/client': `^${clientVersion}` },
    devDependencies: { '@types/node': '^20', typescript: '>=5.4' },
  },
  undefined,
  2,
)}
`;

const tsconfig = `${JSON.stringify(
  {
    compilerOptions: {
      ...{ target: 'ES2022', module: 'NodeNext', moduleResolution: 'NodeNext', types: ['node'] },
      ...{ strict: true, noUncheckedIndexedAccess: true, skipLibCheck: true, rootDir: 'src', outDir: 'dist' },
    },
    include: ['src'],
  },
  undefined,
  2,
)}
`;

const readme = (appId: string) => `# ${appId}

A Flow App. \`src/app.ts\` has its steps, \`src/app.test.ts\` its test, \`flow-app.yaml\` what is published of it.

\`\`\`sh
npm install
npm test         # no gateway needed
npm start        # http://127.0.0.1:3000
\`\`\`

With Bun: \`bun install\`, \`bun test src\`, \`bun src/serve.ts\`.

Publish it, and walk through it:

\`\`\`sh
flowgate apps validate --url http://127.0.0.1:3000
flowgate apps publish
flowgate flow run ${appId}
\`\`\`

\`.env\` contains the secret with which the gateway signs its requests. It is not committed; \`flowgate apps publish\` reads it from there, or from SIGNING_SECRET. To replace it, put the new one first and the old one
behind a comma into SIGNING_SECRET of the server, publish the next version with the new one, and drop the old one when the older versions are retired.
`;
