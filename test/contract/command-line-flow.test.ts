/**
 * `flowgate flow run`: interactive and scripted sessions with an app; a key file signs transactions and payments
 * (contract/flow-apps).
 */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { chmodSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFlowgate, type RenderRequest, type StepSpec } from '@flowgate/client';
import { newSigningSecret } from '@flowgate/client/flow-app';
import { type Chain, startChain } from '@flowgate/devkit/chain';
import { devAccount } from '@flowgate/devkit/dev-token';
import { publishApp } from '@flowgate/devkit/publish-app';
import { type SampleApps, startSampleApps } from '@flowgate/devkit/sample-apps';
import { encryptKeystoreJsonSync } from 'ethers';
import { createFakeTerminal, keys } from '../../apps/gateway/test/fixtures/fake-terminal.ts';
import {
  type FlowAppFixture,
  publishFlowApp,
  reachesLoopback,
  startFlowApp,
} from '../../apps/gateway/test/fixtures/flow-app.ts';
import { type CliHome, type CliRunOptions, createCliHome } from '../../apps/gateway/test/fixtures/run-cli.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

let gateway: RunningGateway;
let home: CliHome;
let app: FlowAppFixture;
let chain: Chain;
let samples: SampleApps;
const account = devAccount(5);
/** The private key of the fifth account of every development chain. */
const privateKey = '0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba';

const every: StepSpec = {
  stepId: 'every',
  title: 'Every kind \u2026',
  description: 'All of them',
  fields: [
    { fieldId: 'name', type: 'text', label: 'Name', required: true, max: 5, help: 'As on paper' },
    { fieldId: 'count', type: 'number', label: 'Count', value: 3 },
    { fieldId: 'agree', type: 'boolean', label: 'Agree', required: true },
    { fieldId: 'day', type: 'date', label: 'Day' },
    {
      fieldId: 'size',
      type: 'select',
      label: 'Size',
      required: true,
      options: [
        { value: 's', label: 'Small' },
        { value: 'l', label: 'Large' },
      ],
    },
    {
      fieldId: 'extras',
      type: 'multiselect',
      label: 'Extras',
      options: [
        { value: 'a', label: 'Ay' },
        { value: 'b', label: 'Bee' },
      ],
    },
    { fieldId: 'amount', type: 'amount', label: 'Amount' },
    { fieldId: 'data', type: 'json', label: 'Data' },
    { fieldId: 'pin', type: 'secret', label: 'PIN', required: true },
  ],
  actions: [
    { actionId: 'send', label: 'Send' },
    { actionId: 'skip', label: 'Skip', validate: false },
  ],
};
const done = (title: string): StepSpec => ({ stepId: 'done', title, fields: [], actions: [], terminal: true });
const offer = {
  scheme: 'exact',
  network: 'eip155:31337',
  asset: `0x${'11'.repeat(20)}`,
  amount: '70',
  payTo: `0x${'22'.repeat(20)}`,
  maxTimeoutSeconds: 60,
  extra: { name: 'Test Dollar', version: '1' },
};

/** Starts without `launchContext`: the start step selects the session to play. */
function script({ stepId, submission, state }: RenderRequest): unknown {
  const looks = typeof state['looks'] === 'number' ? state['looks'] : 0;
  switch (submission === undefined ? stepId : `${submission.stepId} ${submission.actionId}`) {
    case 'every':
      return { step: every };
    case 'every send':
      if (submission?.fieldValues['name'] === 'wrong')
        return { step: every, errors: [{ fieldId: 'name', message: 'must not be wrong' }] };
      return { step: done(`Thank you, ${submission?.fieldValues['name']}`) };
    case 'every skip':
      return { step: done('Skipped'), status: 'failed' };
    case 'waiting':
    case 'waiting look':
      if (looks === 3) return { step: done('Mined') };
      return {
        step: {
          stepId: 'waiting',
          title: 'Waiting',
          description: `Block ${looks}`,
          fields: [],
          actions: [{ actionId: 'look', label: 'Look' }],
        },
        state: { looks: looks + 1 },
      };
    default:
      return {
        step: {
          stepId: 'paid',
          title: 'Pay',
          fields: [],
          actions: [{ actionId: 'buy', label: 'Buy' }],
          payment: { accepts: [offer] },
        },
      };
  }
}

beforeAll(async () => {
  chain = await startChain();
  home = createCliHome();
  const secrets = new Map<string, string>();
  const signingSecret = (appId: string) => {
    secrets.set(appId, secrets.get(appId) ?? newSigningSecret());
    return secrets.get(appId) ?? '';
  };
  samples = await startSampleApps({ rpcUrl: chain.url, chainId: 31337, directory: home.directory, signingSecret });
  const flow = { facilitatorUrl: samples.facilitatorUrl };
  gateway = await startGateway({ config: { ...reachesLoopback, flow } });
  app = startFlowApp(script);
  const steps = ['every', 'waiting', 'paid', 'done'].map((stepId) => ({ stepId }));
  await publishFlowApp(gateway, app, { appId: 'acme/walk', steps, startSteps: ['every', 'waiting', 'paid'] });
  const publisher = createFlowgate({ url: gateway.url, token: gateway.token('publisher') });
  for (const publication of samples.publications) await publishApp(publisher, publication);
  for (const [name, text, mode] of [
    ['key', `${privateKey}\n`, 0o600],
    ['open-key', privateKey, 0o644],
    ['pin', 'hunter2\n', 0o600],
    ['nonsense', 'hello', 0o600],
  ] as const) {
    writeFileSync(file(name), text);
    chmodSync(file(name), mode);
  }
});
afterAll(async () => {
  await Promise.all([gateway?.stop(), app?.stop(), samples?.stop()]);
  await chain?.stop();
  home?.remove();
});

const file = (name: string) => join(home.directory, name);
const run = (args: readonly string[], options: CliRunOptions = {}) =>
  home.run(['flow', 'run', ...args], {
    ...options,
    environment: { FLOWGATE_URL: gateway.url, FLOWGATE_TOKEN: gateway.token('ada'), ...options.environment },
  });
const lines = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
const lastValues = () => app.requests.at(-1)?.submission?.fieldValues;

test('a terminal asks for each kind of field and asks again with the reason after a refusal, until the session ends', async () => {
  const terminal = createFakeTerminal();
  const ended = run(['acme/walk'], { prompts: terminal.prompts, columns: 100 });
  await terminal.on('What next?', keys.enter);
  await terminal.on('Name (at most 5 characters)', 'wrong', keys.enter);
  await terminal.on('Count', keys.erase, '7', keys.enter);
  await terminal.on('Agree', 'y');
  await terminal.on('Day', '2026-11-23', keys.enter);
  await terminal.on('Size', keys.down, keys.enter);
  await terminal.on('Extras', keys.space, keys.enter);
  await terminal.on('Amount', '0.5', keys.enter);
  await terminal.on('Data', '{"a":[1]}', keys.enter);
  await terminal.on('PIN', 'hunter2', keys.enter);
  await terminal.on('It must not be wrong.', keys.erase, 'Ada', keys.enter);
  const { code, stderr } = await ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(lastValues()).toEqual({
    ...{ name: 'Ada', count: 7, agree: true, day: '2026-11-23', size: 'l', extras: ['a'], amount: '0.5' },
    ...{ data: { a: [1] }, pin: 'hunter2' },
  });
  expect(terminal.screen()).toContain('Thank you, Ada');
  expect(terminal.screen()).not.toContain('hunter2');
  expect(terminal.screen()).toContain('As on paper');
});

test('Ctrl-C at a prompt leaves the session unchanged, and --session continues it', async () => {
  const terminal = createFakeTerminal();
  const ended = run(['acme/walk'], { prompts: terminal.prompts });
  await terminal.on('What next?', keys.enter);
  await terminal.on('Name', keys.ctrlC);
  const { code, stderr } = await ended;
  const [sessionId = ''] = /ses_[0-9A-Z]{26}/.exec(stderr) ?? [];
  expect([code, stderr]).toEqual([130, `The session waits: flowgate flow run --session ${sessionId}\n`]);

  const again = createFakeTerminal();
  const left = run(['--session', sessionId], { prompts: again.prompts });
  await again.on('What next?', keys.down, keys.down, keys.enter);
  expect((await left).code).toBe(0);
  const skipped = await run(['--session', sessionId, '--action', 'skip', '--json']);
  expect([skipped.code, lines(skipped.stdout).at(-1)]).toMatchObject([
    1,
    { type: 'over', sessionId, status: 'failed' },
  ]);
  expect((await run(['--session', 'ses_1'])).code).toBe(2);
  expect((await run(['--session', sessionId, 'acme/walk'])).code).toBe(2);
  expect((await run([])).code).toBe(2);
});

const set = (...values: readonly string[]) => values.flatMap((each) => ['--set', each]);
const whole = [
  ...set('name=Ada', 'agree=yes', 'every.size=s', 'extras=a,b', 'data=[1]', 'count=-1.5'),
  '--set-file',
  `pin=`,
];

test('a script supplies values and receives one JSON object per line, without the values', async () => {
  const { code, stdout, stderr } = await run([
    'acme/walk',
    ...whole.slice(0, -1),
    `pin=${file('pin')}`,
    '--action',
    'send',
    '--json',
  ]);
  expect([code, stderr]).toEqual([0, '']);
  expect(lines(stdout).map(({ type }) => type)).toEqual(['step', 'submit', 'over']);
  expect(lastValues()).toEqual({
    name: 'Ada',
    count: -1.5,
    agree: true,
    size: 's',
    extras: ['a', 'b'],
    data: [1],
    pin: 'hunter2',
  });
  expect(stdout).not.toContain('hunter2');
});

test('without a terminal, missing values are named and nothing is submitted; a secret is not accepted as an argument', async () => {
  const before = app.requests.filter(({ reason }) => reason === 'submit').length;
  const { code, stdout, stderr } = await run(['acme/walk', '--action', 'send', '--json', ...set('name=Ada')]);
  expect(code).toBe(2);
  expect(lines(stdout).at(-1)).toMatchObject({
    type: 'missing',
    stepId: 'every',
    fields: [{ fieldId: 'agree' }, { fieldId: 'size' }, { fieldId: 'pin' }],
  });
  expect(JSON.parse(stderr)).toMatchObject({
    error: {
      message: 'the step every needs agree (boolean), size (select), pin (secret) for send',
      advice: '--set agree=… --set size=… --set-file pin=PATH',
    },
  });
  expect((await run(['acme/walk', ...set('name=Ada')])).stderr).toContain('which action? send, skip: --action ID');
  const secret = await run(['acme/walk', '--action', 'send', ...set('name=Ada', 'agree=no', 'size=s', 'pin=hunter2')]);
  expect([secret.code, secret.stderr.includes('hunter2')]).toEqual([2, false]);
  expect(secret.stderr).toContain('Use --set-file pin=PATH.');
  for (const wrong of ['agree=maybe', 'count=many', 'size=xl', 'data={', 'nothing', '=x'])
    expect([wrong, (await run(['acme/walk', '--action', 'send', ...set('name=Ada', wrong)])).code]).toEqual([wrong, 2]);
  expect(app.requests.filter(({ reason }) => reason === 'submit').length).toBe(before);
  // A refusal by the app is final and is not retried.
  const refused = await run([
    'acme/walk',
    '--action',
    'send',
    ...set('name=wrong', 'agree=no', 'size=s'),
    '--set-file',
    `pin=${file('pin')}`,
  ]);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('name must not be wrong')]);
});

test('a waiting step is polled until it continues; the record of a run exists only while the run is open', async () => {
  const { code, stdout } = await run(['acme/walk', '--start-step', 'waiting', '--json']);
  expect([code, lines(stdout).at(-1)]).toMatchObject([
    0,
    { type: 'over', status: 'completed', step: { title: 'Mined' } },
  ]);
  const late = await run(['acme/walk', '--start-step', 'waiting', '--wait', '0']);
  expect([late.code, late.stderr]).toEqual([1, expect.stringContaining('still so after 0 seconds')]);
  const [sessionId = ''] = /ses_[0-9A-Z]{26}/.exec(late.stderr) ?? [];
  const records = join(home.directory, 'flowgate', 'flow-runs');
  // The record belongs to this gateway: another one with the same session id gets nothing of it.
  const name = `${sessionId}-${new Bun.CryptoHasher('sha256').update(gateway.url).digest('hex').slice(0, 32)}.json`;
  expect(readdirSync(records)).toContain(name);
  expect((await run(['--session', sessionId])).code).toBe(0);
  expect(existsSync(join(records, name))).toBe(false);
});

test('the key file signs a prepared transaction, which is deployed; without consent, or with another key, it is not signed', async () => {
  const wish = set('contract=counter', 'firstNumber=7', `from=${account.address}`);
  const unasked = await run([
    'flowgate/deploy-contract',
    ...wish,
    '--action',
    'prepare',
    '--action',
    'deploy',
    '--key-file',
    file('key'),
  ]);
  expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining('--yes signs what the app prepares')]);
  expect(unasked.stderr).toContain('to      a new contract');
  const actions = ['prepare', 'deploy', 'check', 'finish'].flatMap((each) => ['--action', each]);
  const deployed = await run([
    'flowgate/deploy-contract',
    ...wish,
    ...actions,
    '--key-file',
    file('key'),
    '--yes',
    '--json',
  ]);
  expect([deployed.code, lines(deployed.stdout).at(-1)]).toMatchObject([0, { type: 'over', status: 'completed' }]);
  expect(deployed.stdout + deployed.stderr).not.toContain(privateKey.slice(2));
  const other = await run([
    'flowgate/deploy-contract',
    ...set('contract=counter', `from=${devAccount(6).address}`),
    ...actions,
    '--key-file',
    file('key'),
    '--yes',
  ]);
  expect([other.code, other.stderr]).toEqual([
    1,
    expect.stringContaining(`the key file belongs to ${account.address}`),
  ]);
  // On another network, the transaction is printed and the session waits for it.
  const elsewhere = await run(['flowgate/deploy-contract', ...wish, ...actions, '--json']);
  const reported = lines(elsewhere.stdout);
  expect([elsewhere.code, reported.at(-2)]).toMatchObject([
    2,
    { type: 'sign', transaction: { from: account.address, chainId: 31337 } },
  ]);
});

test('a payment is signed up to --pay-up-to of the token in --pay-with, and never a second time automatically', async () => {
  const token = `eip155:31337/0x${'11'.repeat(20)}`;
  const pay = (...more: readonly string[]) => run(['acme/walk', '--start-step', 'paid', ...more]);
  expect([(await pay()).code, (await pay('--key-file', file('key'))).stderr]).toEqual([
    2,
    expect.stringContaining(`--pay-up-to 70 --pay-with ${token} agrees to it.`),
  ]);
  // The same amount of another token, or of a token with this address on another network, is another price.
  for (const other of [
    [],
    ['--pay-with', `eip155:31337/0x${'12'.repeat(20)}`],
    ['--pay-with', token.replace('337/', '338/')],
  ])
    expect((await pay('--key-file', file('key'), '--pay-up-to', '70', ...other)).code).toBe(2);
  const dear = await pay('--key-file', file('key'), '--pay-up-to', '69');
  expect([dear.code, dear.stderr]).toEqual([1, expect.stringContaining('more than --pay-up-to 69')]);
  expect((await pay('--pay-up-to', '1.5')).code).toBe(2);
  // The facilitator does not know this token: the payment is refused and not signed again.
  const { code, stdout } = await pay('--key-file', file('key'), '--pay-up-to', '70', '--pay-with', token, '--json');
  expect([code > 0, lines(stdout).filter(({ type }) => type === 'payment').length]).toEqual([true, 1]);
});

test('the sample app that sells a report is paid and read with an encrypted key file; a wrong password does not decrypt it', async () => {
  const cheap = { scrypt: { N: 1_024 } };
  writeFileSync(
    file('keystore'),
    encryptKeystoreJsonSync({ address: account.address, privateKey }, 'correct horse', cheap),
  );
  const buy = (password: string, ...more: readonly string[]) =>
    run(['flowgate/paid-report', '--set', 'blocks=2', '--key-file', file('keystore'), ...more, '--json'], {
      environment: { FLOWGATE_KEY_PASSWORD: password },
    });
  const asked = lines((await buy('correct horse')).stdout).find(({ type }) => type === 'payment');
  const upTo = ['--pay-up-to', '20000', '--pay-with', `${asked?.['network']}/${asked?.['asset']}`];
  const { code, stdout, stderr } = await buy('correct horse', ...upTo);
  expect([code, stderr]).toEqual([0, '']);
  expect(lines(stdout).at(-1)).toMatchObject({
    type: 'over',
    status: 'completed',
    paymentReceipt: { success: true, amount: '20000', payer: account.address },
  });
  const wrong = await buy('battery staple');
  expect([wrong.code, wrong.stderr.includes('battery')]).toEqual([1, false]);
  const unasked = await run(['flowgate/paid-report', '--key-file', file('keystore')]);
  expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining('Set FLOWGATE_KEY_PASSWORD.')]);
});

test('a key file that others can read, that is invalid or missing is refused before anything is sent', async () => {
  const before = app.requests.length;
  for (const [name, words] of [
    ['open-key', 'other users can read it'],
    ['nonsense', 'neither a JSON keystore'],
    ['nowhere', 'cannot be read'],
    ['', 'cannot be read'],
  ] as const) {
    const { code, stderr } = await run(['acme/walk', '--key-file', file(name)]);
    expect([name, code, stderr.includes(words), stderr.includes(privateKey.slice(2))]).toEqual([name, 2, true, false]);
  }
  expect(app.requests.length).toBe(before);
});

test('texts of an app cannot control the terminal: control characters are shown as text', async () => {
  const { flow } = createFlowgate({ url: gateway.url, token: gateway.token('ada') });
  await flow.sessions.page();
  const hostile = `Red \u001b[31m and \u0007 \u202e back`;
  const step = {
    ...every,
    title: hostile,
    fields: [
      {
        fieldId: 'a',
        type: 'select',
        label: hostile,
        required: true,
        help: hostile,
        options: [{ value: 'x', label: hostile }],
      },
    ],
    actions: [
      { actionId: 'go', label: hostile },
      { actionId: 'no', label: 'No' },
    ],
  };
  // A gateway without content filter rules, as an operator may configure it.
  const open = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () => {
      const times = {
        createdAt: '2026-11-23T00:00:00.000Z',
        updatedAt: '2026-11-23T00:00:00.000Z',
        expiresAt: '2026-11-24T00:00:00.000Z',
      };
      return Response.json(
        {
          sessionId: 'ses_01KAJ0Z6V2M8T4Q9R3WX5Y7ABE',
          appId: 'acme/walk',
          version: '1.0.0',
          status: 'active',
          stateVersion: 1,
          currentStep: step,
          ...times,
        },
        { status: 201 },
      );
    },
  });
  const terminal = createFakeTerminal();
  const environment = { FLOWGATE_URL: open.url.origin };
  const ended = run(['acme/walk'], { prompts: terminal.prompts, environment });
  await terminal.on('What next?', keys.enter);
  await terminal.on('\ufffd[31m and', keys.ctrlC);
  await ended;
  await open.stop(true);
  expect(terminal.screen()).toContain('Red \ufffd[31m and \ufffd \ufffd back');
  for (const control of ['\u001b[31m and', '\u0007', '\u202e']) expect(terminal.screen()).not.toContain(control);
});
