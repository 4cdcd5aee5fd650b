import { expect, test } from 'bun:test';
import { createContentFilter } from '@flowgate/content-filter/content-filter';
import { scanFor } from '@flowgate/testing/secret-scan';
import { noSecrets } from '../secrets/secret-mark.ts';
import { readResponse } from './read-response.ts';

const contentFilter = createContentFilter({ disable: [], rules: [] });
const step = { stepId: 'first', title: 'Hello', fields: [], actions: [{ actionId: 'go', label: 'Go' }] };
const manifest = { stepIds: ['first'], eventTypes: ['shipped'] };

const readText = (text: string, secrets: readonly string[] = []) =>
  readResponse(
    { bytes: new TextEncoder().encode(text), manifest, secrets: scanFor(secrets), linkDomains: [] },
    contentFilter,
  );
const read = (response: unknown, secrets: readonly string[] = []) => readText(JSON.stringify(response), secrets);

const refusal = (detail: string) => ({ ok: false as const, retryable: false, detail });

test('a valid response is returned as checked (contract/flow-apps#answers)', () => {
  expect(read({ step, state: { a: 1 } })).toEqual({
    ok: true,
    checked: {
      kind: 'step',
      response: { step, state: { a: 1 }, appData: { set: {}, delete: [] }, events: [], status: 'active' },
      undeclared: [],
    },
  });
  expect(read({ errors: [{ message: 'too little' }] })).toEqual({
    ok: true,
    checked: { kind: 'rejected', errors: [{ message: 'too little' }] },
  });
});

test('a response that is not JSON or nested too deep is invalid, and not retryable (contract/flow-apps#answers)', () => {
  const notJson = refusal("the answer of the app's /renderStep is not JSON");
  expect([readText('<html>'), readText(''), readText('{"step":')]).toEqual([notJson, notJson, notJson]);
  expect(
    readResponse({ bytes: Uint8Array.of(34, 0xff, 34), manifest, secrets: noSecrets, linkDomains: [] }, contentFilter),
  ).toEqual(notJson);
  expect(readText('['.repeat(5_000))).toEqual(
    refusal("the answer of the app's /renderStep is nested deeper than 128 levels"),
  );
});

test('an invalid step is refused before secrets and texts are checked (contract/flow-apps#answers)', () => {
  expect(read({ step: { ...step, stepId: 'other', title: '<b>' } })).toEqual(
    refusal("The Flow App's answer is invalid: /step/stepId is not a step that the version declares."),
  );
});

test('a submitted secret is found before the filter runs; the state may contain it (contract/flow-apps#secrets)', () => {
  const echo = refusal('content-filter rule secret-echo rejected text at /step/title');
  expect(read({ step: { ...step, title: '<b>hunter22</b>' } }, ['hunter22'])).toEqual(echo);
  expect(read({ errors: [{ message: 'not hunter22' }] }, ['hunter22'])).toMatchObject({ ok: false });
  expect(read({ step, events: [{ type: 'other', data: { a: 'hunter22' } }] }, ['hunter22'])).toMatchObject({
    ok: false,
  });
  expect(read({ step, state: { note: 'hunter22' } }, ['hunter22'])).toMatchObject({ ok: true });
});

test('a pointer of the filter contains no secret, also in parts that are dropped (contract/flow-apps#secrets)', () => {
  const secret = 'a/b~hunter22';
  const [denied, flagged] = [{ [secret]: '<b>' }, { deep: { [secret]: 'ipfs://bafybeigdyrzt' } }];
  const field = { fieldId: 'password', type: 'secret', label: 'Password' };
  for (const [part, response] of Object.entries({
    '/step/more': { step: { ...step, more: denied } },
    '/step/actions/0/more': { step: { ...step, actions: [{ ...step.actions[0], more: denied }] } },
    '/step/fields/0/value': { step: { ...step, fields: [{ ...field, value: denied }] } },
    '/step/options': { step: { ...step, options: denied }, errors: [{ message: 'no' }] },
    '/errors/0/more': { errors: [{ message: 'no', more: denied }] },
    '/events/0/data': { errors: [{ message: 'no' }], events: [{ type: 'shipped', data: denied }] },
  }))
    expect(read(response, [secret])).toEqual(refusal(`content-filter rule markup rejected text at ${part}`));
  const reading = read({ step: { ...step, more: flagged } }, [secret]);
  const { warnings } = reading.ok && reading.checked.kind === 'step' ? reading.checked.response.step : {};
  expect(warnings?.map(({ pointer }) => pointer)).toEqual(['/more/deep']);
});

test('a text that the filter denies is refused with the sentence of the contract (contract/flow-apps#content-filter)', () => {
  expect(read({ step: { ...step, title: '<b>' } })).toEqual(
    refusal('content-filter rule markup rejected text at /step/title'),
  );
});

test("doubtful texts become warnings of the step, with pointer and field; the app's own warnings are dropped (contract/flow-apps#content-filter)", () => {
  const flagged = {
    stepId: 'first',
    title: 'Hello',
    description: 'Send it to <your address>',
    actions: step.actions,
    fields: [{ fieldId: 'link', type: 'text', label: 'Link', help: 'ipfs://bafybeigdyrzt' }],
    warnings: [{ ruleId: 'mine', pointer: '', message: 'All is well.' }],
  };
  const reading = read({ step: flagged });
  const { warnings } = reading.ok && reading.checked.kind === 'step' ? reading.checked.response.step : {};
  expect(warnings).toEqual([
    { ruleId: 'markup', pointer: '/description', message: expect.any(String) },
    { ruleId: 'unsafe-links', pointer: '/fields/0/help', fieldId: 'link', message: expect.any(String) },
  ]);
  const fine = read({ step: { ...step, warnings: [{ ruleId: 'mine', pointer: '', message: 'All is well.' }] } });
  expect(JSON.stringify(fine)).not.toContain('warnings');
});
