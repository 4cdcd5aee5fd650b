/** Withdrawals with the bridge app, over its protocol on a real rollup, and once through a gateway's sessions. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import { join } from 'node:path';
import { createFlowgate, type Session } from '@flowgate/client';
import { type Address, erc20Abi, parseUnits } from 'viem';
import { startGateway } from '../../../apps/gateway/test/fixtures/running-gateway.ts';
import { served, testSecret } from '../../test/app-driver.ts';
import { bridgeSessions, hashesOf, isStep, purposesOf, sign, statusOf } from '../../test/bridge-sessions.ts';
import { rollupClients, rollupControl } from '../../test/rollup-clients.ts';
import { devAccount } from '../dev-token.ts';
import { publishApp } from '../publish-app.ts';
import { type LocalRollup, startLocalRollup } from '../rollup/local-rollup.ts';
import { bridge } from './bridge.ts';

let rollup: LocalRollup;
let control: ReturnType<typeof rollupControl>;
let clients: ReturnType<typeof rollupClients>;
let session: ReturnType<typeof bridgeSessions>;

beforeAll(async () => {
  rollup = await startLocalRollup({ isAutomatic: false });
  control = rollupControl(rollup.bridge.controlUrl);
  clients = rollupClients(rollup.bridge);
  session = bridgeSessions(rollup.bridge);
});
// Also after a failed test that had paused it.
beforeEach(() => control('/portal/unpause'));
afterAll(async () => {
  await rollup?.stop();
});

const tokensOf = (address: Address) =>
  clients.onL2.readContract({
    ...{ address: rollup.bridge.contracts.l2Token, abi: erc20Abi, functionName: 'balanceOf', args: [address] },
  });

test('a withdrawal of ether, from the state root to the payment, agrees with viem; a paused portal stops it meanwhile', async () => {
  const account = devAccount(2);
  const { prepare, send, submit } = await session(account);
  const begun = await send(await prepare({ direction: 'withdrawal', amount: '0.25' }));
  const hash = hashesOf(begun)[0] ?? '0x';
  const receipt = await clients.onL2.getTransactionReceipt({ hash });
  const word = () => clients.onL1.getWithdrawalStatus({ receipt, targetChain: clients.rollup });
  expect([statusOf(begun), await word()]).toEqual(['awaiting_state_root', 'waiting-to-prove']);
  await control('/portal/pause');
  const { game } = (await control('/propose')).body;
  const paused = await submit('look');
  expect(paused.step).toMatchObject({
    stepId: 'waiting',
    options: { status: 'ready_to_prove', blockers: ['not_proven', 'paused'] },
  });
  expect(paused.step.description).toContain('The portal is paused');
  await control('/portal/unpause');
  const ready = await submit('look');
  expect([ready.step.stepId, statusOf(ready), await word()]).toEqual(['sign', 'ready_to_prove', 'ready-to-prove']);
  const proven = await send(ready);
  expect([statusOf(proven), await word()]).toEqual(['in_dispute_window', 'waiting-to-finalize']);
  expect(proven.step.options?.['disputeWindowEndsAt']).toMatch(/^\d{4}-\d\d-\d\dT/);
  await control('/advance', { seconds: 30 });
  const unresolved = await submit('look');
  expect([statusOf(unresolved), unresolved.step.description]).toEqual([
    'in_dispute_window',
    expect.stringContaining('resolution of the dispute game'),
  ]);
  await control('/resolve', { game });
  expect([statusOf(await submit('look')), await word()]).toEqual(['in_dispute_window', 'waiting-to-finalize']);
  await control('/advance', { seconds: 7 });
  const due = await submit('look');
  expect([due.step.stepId, statusOf(due), await word()]).toEqual(['sign', 'ready_to_finalise', 'ready-to-finalize']);
  const done = await send(due);
  expect(done.step).toMatchObject({ stepId: 'completed', terminal: true, options: { status: 'finalised' } });
  expect([purposesOf(done), await word()]).toEqual([['start', 'prove', 'finalize'], 'finalized']);
});

test('after a lost challenge and after a blacklisted root, the token’s withdrawal is proven again', async () => {
  const account = devAccount(1);
  const earlier = await session(account);
  await earlier.send(await earlier.send(await earlier.prepare({ asset: 'token', amount: '12.5' })));
  await earlier.untilShown(isStep('completed'));
  const { prepare, send, submit } = await session(account);
  const before = await tokensOf(account.address);
  await send(await prepare({ direction: 'withdrawal', asset: 'token', amount: '2.5' }));
  expect(await tokensOf(account.address)).toBe(before - parseUnits('2.5', 18));
  const lost = (await control('/propose')).body['game'];
  await send(await submit('look'));
  await control('/challenge', { game: lost });
  const challenged = await submit('look');
  expect(challenged.step.options).toMatchObject({
    status: 'challenged',
    blockers: ['dispute_window_open', 'challenge_open'],
  });
  await control('/advance', { seconds: 30 });
  await control('/resolve', { game: lost });
  const waiting = await submit('look');
  expect([waiting.step.stepId, statusOf(waiting)]).toEqual(['waiting', 'awaiting_state_root']);
  expect(waiting.step.description).toContain('was challenged and lost');
  const blacklisted = (await control('/propose')).body['game'];
  const again = await submit('look');
  expect([again.step.stepId, statusOf(again)]).toEqual(['sign', 'ready_to_prove']);
  expect(statusOf(await send(again))).toBe('in_dispute_window');
  await control('/blacklist', { game: blacklisted });
  const onceMore = await submit('look');
  expect([statusOf(onceMore), onceMore.step.description]).toEqual([
    'awaiting_state_root',
    expect.stringContaining('blacklisted'),
  ]);
  const { game } = (await control('/propose')).body;
  await send(await submit('look'));
  await control('/advance', { seconds: 30 });
  await control('/resolve', { game });
  await control('/advance', { seconds: 7 });
  expect((await send(await submit('look'))).step).toMatchObject({
    stepId: 'completed',
    options: { status: 'finalised' },
  });
});

test('a transfer continues in a later session, from the app data of its user', async () => {
  const account = devAccount(2);
  const first = await session(account);
  await first.send(await first.prepare({ direction: 'withdrawal', amount: '0.0625' }));
  const later = await session(account, 'continue', first.appData());
  const [hash] = later.first.step.fields[0]?.options?.map(({ value }) => value) ?? [];
  expect(later.first.step.fields[0]?.options?.[0]?.label).toContain('withdrawal of 0.0625 ETH');
  await control('/propose');
  const ready = await later.submit('go', { transfer: hash });
  expect([ready.step.stepId, statusOf(ready)]).toEqual(['sign', 'ready_to_prove']);
  expect(statusOf(await later.send(ready))).toBe('in_dispute_window');
  // A concurrent session has overwritten this session's list with its own.
  later.meanwhile({ transfers: [] });
  await later.submit('look');
  expect(later.appData()['transfers']).toMatchObject([{ amount: '0.0625', status: 'in_dispute_window' }]);
  expect((await later.submit('look')).errors).toBeUndefined();
  expect((await session(account, 'continue')).first.step).toMatchObject({
    stepId: 'choose',
    description: 'No transfer is in progress.',
  });
  expect(JSON.stringify(later.appData()).length).toBeLessThan(1_000);
});

test('through a gateway: fields are checked, texts pass the filter, and a repeated submission is executed once (contract/flow-apps)', async () => {
  const account = devAccount(3);
  const sample = bridge({ ...rollup.bridge, confirmations: 3 });
  const { app, manifest } = sample;
  const fetch = served(sample);
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch });
  const gateway = await startGateway({ config: { outbound: { allowPrivateHosts: ['127.0.0.1'] } } });
  try {
    const publisher = createFlowgate({ url: gateway.url, token: gateway.token('admin') });
    await publishApp(publisher, {
      app,
      version: { ...manifest, baseUrl: server.url.origin, signingSecret: testSecret },
    });
    const { flow } = createFlowgate({ url: gateway.url, token: gateway.token('alice') });
    let current: Session = await flow.sessions.start({ appId: app.appId });
    const seen: Session[] = [];
    const submit = async (actionId: string, fieldValues: object = {}, idempotencyKey: string = crypto.randomUUID()) => {
      const submission = { actionId, fieldValues: { ...fieldValues }, stateVersion: current.stateVersion };
      const { stepId } = current.currentStep;
      const answer = await flow.sessions.submit(current.sessionId, stepId, submission, { idempotencyKey });
      seen.push(answer);
      return answer;
    };
    const signed = async () => ({ signedTransaction: await sign(account, { step: current.currentStep }) });
    const wish = { direction: 'withdrawal', asset: 'ether', amount: '0.5', wallet: account.address };
    const refusal: unknown = await submit('prepare', { ...wish, amount: '20000' }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      status: 400,
      errors: [{ fieldId: 'amount', message: expect.stringContaining('The balance is') }],
    });
    current = await submit('prepare', wish);
    const fieldValues = await signed();
    const twice = await Promise.allSettled([1, 2].map(() => submit('send', fieldValues, 'the same key')));
    expect(twice.map(({ status }) => status)).toContain('fulfilled');
    current = await submit('send', fieldValues, 'the same key');
    expect(await clients.onL2.getTransactionCount({ address: account.address })).toBe(1);
    const { game } = (await control('/propose')).body;
    current = await submit('look');
    current = await submit('send', await signed());
    await control('/advance', { seconds: 30 });
    await control('/resolve', { game });
    await control('/advance', { seconds: 7 });
    current = await submit('look');
    current = await submit('send', await signed());
    expect(current).toMatchObject({
      status: 'completed',
      currentStep: { stepId: 'completed', options: { status: 'finalised' } },
    });
    expect(seen.flatMap(({ currentStep }) => currentStep.warnings ?? [])).toEqual([]);
    const events: unknown[] = [];
    for await (const { type, data } of flow.follow(current.sessionId))
      if (type === 'transfer_status') events.push(data['status']);
    expect(events).toEqual([
      'awaiting_state_root',
      'ready_to_prove',
      'in_dispute_window',
      'ready_to_finalise',
      'finalised',
    ]);
    expect(await example({ FLOWGATE_URL: gateway.url, FLOWGATE_API_KEY: (await gateway.mint('bob')).apiKey })).toEqual([
      'session completed: The deposit has arrived on L2.',
      'session completed: The withdrawal has arrived on L1.',
    ]);
    expect(await flow.query(app.appId, 'transfers')).toMatchObject([{ amount: '0.5', status: 'finalised' }]);
  } finally {
    await gateway.stop();
    await server.stop(true);
  }
});

/** The last lines of `client/examples/flow-bridge.ts` at the ends of its sessions. */
async function example(settings: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const file = join(import.meta.dir, '../../../client/examples/flow-bridge.ts');
  const env = { ...process.env, ...settings, FLOWGATE_ROLLUP_CONTROL: rollup.bridge.controlUrl };
  const child = Bun.spawn([process.execPath, file], { env, stdout: 'pipe', stderr: 'pipe' });
  const [code, output, errors] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  return output.split('\n').filter((line) => line.startsWith('session '));
}
