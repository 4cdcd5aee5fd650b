/** A typed app and the test that drives it: types follow from declarations, and refusals of a gateway fail in the author's test. */

import { expect, test } from 'bun:test';
import {
  checkAnswer,
  createFlowApp,
  createFlowAppHandler,
  createFlowAppTest,
  FlowAppTestError,
  newSigningSecret,
} from '../src/flow-app/flow-app.ts';
import type { RenderResponse } from '../src/wire.ts';

/** Compiles only when both are the same type. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const isTrue = <T extends true>(value: T) => value;

function shop() {
  const seen: unknown[] = [];
  const app = createFlowApp({
    appId: 'acme/shop',
    events: ['ordered'],
    state: ({ size }) => ({ size: typeof size === 'string' ? size : '' }),
    appData: ({ orders }) => ({ orders: Array.isArray(orders) ? orders.map(String) : [] }),
  });
  const choose = app.step('choose', {
    title: 'What would you like?',
    fields: {
      size: {
        type: 'select',
        label: 'Size',
        required: true,
        options: [
          { value: 's', label: 'Small' },
          { value: 'l', label: 'Large' },
        ],
      },
      extras: { type: 'multiselect', label: 'Extras', options: [{ value: 'ribbon', label: 'Ribbon' }] },
      count: { type: 'number', label: 'How many', min: 1, max: 9 },
      gift: { type: 'boolean', label: 'A gift', required: true },
      voucher: { type: 'select', label: 'Voucher' },
      pin: { type: 'secret', label: 'PIN', pattern: '[0-9]{4}' },
      note: { type: 'json', label: 'Note' },
    },
    actions: { order: 'Order', leave: { label: 'Leave', validate: false } },
  });
  const pay = app.step('pay', {
    title: 'Pay',
    actions: { pay: 'Pay' },
    payment: { accepts: [{ scheme: 'exact', network: 'eip155:1' }] },
  });
  const done = app.step('done', { title: 'Done', terminal: true });
  app.start(choose, ({ appData }) =>
    choose.show({ fields: { voucher: { options: [{ value: 'v1', label: `Order ${appData.orders.length}` }] } } }),
  );
  app.start(done);
  choose.on('order', ({ values, appData }) => {
    seen.push(values);
    isTrue<Same<typeof values.size, 's' | 'l'>>(true);
    isTrue<Same<typeof values.extras, readonly 'ribbon'[] | undefined>>(true);
    isTrue<Same<typeof values.count, number | undefined>>(true);
    isTrue<Same<typeof values.gift, boolean>>(true);
    isTrue<Same<typeof values.voucher, string | undefined>>(true);
    isTrue<Same<typeof values.note, unknown>>(true);
    isTrue<Same<typeof appData.orders, string[]>>(true);
    // @ts-expect-error the field does not exist
    void values.color;
    if (values.count === 7) return choose.reject({ count: 'must not be seven' });
    return pay.show({ title: `Pay for ${values.size}`, state: { size: values.size } });
  });
  choose.on('leave', ({ values }) => {
    isTrue<Same<typeof values.size, unknown>>(true);
    return done.show({ status: 'failed' });
  });
  pay.on('pay', ({ state, appData, paymentReceipt }) =>
    done.show({
      description: paymentReceipt?.network,
      appData: { orders: [...appData.orders, state.size] },
      // @ts-expect-error an undeclared type
      events: [{ type: state.size === 'l' ? 'undeclared' : 'ordered', data: { size: state.size } }],
    }),
  );
  // @ts-expect-error the action does not exist
  expect(() => choose.on('steal', () => done.show())).toThrow('no action "steal"');
  return { app, seen };
}

const order = { size: 's', gift: true };

test('a session runs step by step, with state, app data, events, payment and status as on a gateway', async () => {
  const { app, seen } = shop();
  expect([app.stepIds, app.startSteps, app.eventTypes, app.missing()]).toEqual([
    ['choose', 'pay', 'done'],
    ['choose', 'done'],
    ['ordered'],
    [],
  ]);
  const gateway = createFlowAppTest(app);
  const session = await gateway.start();
  expect(session.step.fields[4]).toMatchObject({ fieldId: 'voucher', options: [{ value: 'v1', label: 'Order 0' }] });
  const outcome = await session.submit('order', { ...order, voucher: 'v1', extras: null });
  expect([outcome.errors, outcome.step.title, session.state]).toEqual([[], 'Pay for s', { size: 's' }]);
  await expect(session.submit('pay')).rejects.toThrow('requires a payment');
  await session.submit('pay', {}, { paid: true });
  expect([session.status, session.stateVersion, session.appData]).toEqual(['completed', 3, { orders: ['s'] }]);
  expect(session.step.description).toBe('eip155:1');
  expect(session.events).toMatchObject([{ type: 'ordered', data: { size: 's', appId: 'acme/shop', stateVersion: 3 } }]);
  await expect(session.submit('pay', {})).rejects.toThrow('The session is completed');
  expect(seen).toHaveLength(1);

  expect((await gateway.start()).step.fields[4]?.options?.[0]?.label).toBe('Order 1');
  expect((await gateway.start({ user: 'bob' })).appData).toEqual({});
  expect((await gateway.start({ stepId: 'done' })).status).toBe('completed');
  expect(gateway.start({ stepId: 'pay' })).rejects.toThrow(
    'No session of this app starts at \\"pay\\"'.replaceAll('\\', ''),
  );
});

test('a submission that a gateway refuses does not reach the app, and one that the app refuses changes nothing', async () => {
  const { app, seen } = shop();
  const session = await createFlowAppTest(app).start();
  const { errors } = await session.submit('order', {
    size: 'xl',
    count: 10,
    extras: ['ribbon', 'ribbon'],
    color: 'red',
    voucher: 'v2',
  });
  expect(errors).toEqual([
    { fieldId: 'color', message: 'is not a field of this step' },
    { fieldId: 'size', message: 'must be one of its options' },
    { fieldId: 'extras', message: 'must hold each option at most once' },
    { fieldId: 'count', message: 'must be at most 9' },
    { fieldId: 'gift', message: 'is required' },
    { fieldId: 'voucher', message: 'must be one of its options' },
  ]);
  expect((await session.submit('steal')).errors).toEqual([
    { message: 'actionId is not one of the actions of this step' },
  ]);
  expect(seen).toEqual([]);
  expect((await session.submit('order', { ...order, count: 7 })).errors).toEqual([
    { fieldId: 'count', message: 'must not be seven' },
  ]);
  expect([session.stateVersion, session.step.stepId]).toEqual([1, 'choose']);
  await session.submit('leave', { size: 42 });
  expect(session.status).toBe('failed');
});

test('values that do not fit the declared step are refused, because a session may be older than the code', async () => {
  const { app, seen } = shop();
  const request = {
    ...{ protocolVersion: '1', requestId: 'r', reason: 'submit', stepId: 'choose', state: {}, appData: {} },
    session: { sessionId: 'ses_1', appId: 'acme/shop', version: '1.0.0', stateVersion: 1, userId: 'u' },
    submission: { stepId: 'choose', actionId: 'order', idempotencyKey: 'k', fieldValues: { size: 7, gift: 'yes' } },
  };
  const answer = (await (await createFlowAppTest(app).send(request)).json()) as RenderResponse;
  expect(answer.errors).toEqual([
    { fieldId: 'size', message: 'must be one of its options' },
    { fieldId: 'gift', message: 'must be true or false' },
  ]);
  expect(seen).toEqual([]);
});

test('an app that acts twice, shows a secret, renders an undeclared step or does not answer JSON fails in its author’s test', async () => {
  const step = {
    stepId: 'one',
    title: 'One',
    fields: [{ fieldId: 'pin', type: 'secret', label: 'PIN' }],
    actions: [{ actionId: 'go', label: 'Go' }],
  } as const;
  const walk = async (answer: (count: number, values: Readonly<Record<string, unknown>>) => unknown) => {
    let count = 0;
    const handler = async (request: Request) => {
      const { submission } = (await request.json()) as { submission?: { fieldValues: Record<string, unknown> } };
      if (submission === undefined) return Response.json({ step });
      count += 1;
      const body = answer(count, submission.fieldValues);
      return typeof body === 'string' ? new Response(body) : Response.json(body);
    };
    const session = await createFlowAppTest(handler, { stepIds: ['one'] }).start();
    const error = await session.submit('go', { pin: 'h&n"ter2' }).catch((reason: unknown) => reason);
    if (!(error instanceof FlowAppTestError)) throw new Error(`no FlowAppTestError: ${String(error)}`);
    return error.message;
  };
  expect(await walk((count) => ({ step: { ...step, title: `Call ${count}` } }))).toContain('acts twice');
  expect(await walk((_, { pin }) => ({ step: { ...step, title: `You said ${pin}` } }))).toBe(
    'The answer shows the value of the secret field pin.',
  );
  expect(await walk(() => ({ step: { ...step, stepId: 'two' } }))).toContain(
    '/step/stepId is not a step that the version declares',
  );
  expect(await walk(() => '<html>')).toContain('no JSON: <html>');
});

test('a test of a handler with signatures shows that forged and old deliveries are refused', async () => {
  const { app } = shop();
  const signingSecret = newSigningSecret();
  const gateway = createFlowAppTest(createFlowAppHandler(app, { signingSecret }), {
    signingSecret,
    appId: 'acme/shop',
  });
  expect((await gateway.start({ stepId: 'choose' })).stateVersion).toBe(1);
  expect((await gateway.send({}, { secret: newSigningSecret() })).status).toBe(401);
  expect((await gateway.send({}, { atMs: Date.now() - 600_000 })).status).toBe(401);
});

test('an app with an action without a handler, or without a start, is not served', () => {
  const app = createFlowApp();
  const one = app.step('one', { title: 'One', actions: { go: 'Go', stop: 'Stop' } });
  one.on('go', () => one.show());
  expect(app.missing()).toEqual([
    'No session can start: call start(step).',
    'Nothing handles the action "stop" of the step "one".',
  ]);
  expect(() => createFlowAppHandler(app, { signingSecret: newSigningSecret() })).toThrow('"stop"');
  expect(() => one.on('go', () => one.show())).toThrow('handled twice');
  expect(() => app.step('one', { title: 'Again' })).toThrow('declared twice');
  expect(() => app.start(createFlowApp().step('two', { title: 'Two' }))).toThrow('another app');
});

test('an answer that is not JSON is described: NaN, a bigint, a circular object, undefined', () => {
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  for (const answer of [{ state: { price: Number.NaN } }, { state: { wei: 10n } }, circle, undefined, () => 1])
    expect(checkAnswer(answer)).toMatchObject({
      ok: false,
      problems: [expect.stringContaining('The answer is not JSON')],
    });
});
