/** docs/errors.md and the catalogue of api/refusal.ts list the same refusals. */

import { expect, test } from 'bun:test';
import { refusalReasons, refusals, urnPrefix } from '../../src/api/refusal.ts';
import { expectPart, page, table, tableAfter } from './document-part.ts';

const code = (text: string | number) => `\`${text}\``;

test('the StandardError table is the catalogue (contract/errors#envelopes)', async () => {
  const rows = refusalReasons.map((reason) => {
    const { status, label, message } = refusals[reason];
    return [code(reason), String(status), label, message];
  });
  await expectPart(
    'errors.md',
    'standard-error',
    table(['Reason', 'Status', '`error`', '`message`, unless more particular'], rows),
  );
});

test('the JSON-RPC table is the catalogue (contract/credentials#missing-and-invalid; contract/json-rpc)', async () => {
  const rows = refusalReasons.map((reason) => {
    const { rpc } = refusals[reason];
    return rpc === undefined
      ? [code(reason), String(refusals[reason].status), 'StandardError', '']
      : [code(reason), reason === 'unanswered' ? '200, in a batch' : String(rpc.status), code(rpc.code), rpc.message];
  });
  await expectPart('errors.md', 'json-rpc', table(['Reason', 'Status', '`code`', '`message`'], rows));
});

test('the ProblemDetails table is the catalogue (contract/errors#envelopes)', async () => {
  const rows = refusalReasons.map((reason) => {
    const { status, urn, title, retryable } = refusals[reason];
    return [code(reason), String(status), code(urnPrefix + urn), title, retryable ? 'yes' : 'no'];
  });
  await expectPart(
    'errors.md',
    'problem-details',
    table(['Reason', 'Status', '`type`', '`title`', '`retryable`'], rows),
  );
});

test('every reason has its "when" and its "what to do", and Retry-After is told where it is sent (contract/conventions#retry-after)', async () => {
  const rows = tableAfter(await page('errors.md'), '## When, and what to do');
  expect(rows.map(([reason]) => reason)).toEqual(refusalReasons.map(code));
  for (const [index, [reason, when = '', act = '', retryAfter]] of rows.entries()) {
    const name = refusalReasons[index] ?? 'internal';
    const sent = [refusals[name].status, refusals[name].rpc?.status ?? refusals[name].status];
    const always = sent.every((status) => status === 429 || status === 503);
    const never = sent.every((status) => status !== 429 && status !== 503);
    expect(`${reason}: ${retryAfter}`).toBe(`${reason}: ${always ? 'yes' : never ? 'no' : 'not on JSON-RPC'}`);
    expect(when.length).toBeGreaterThan(10);
    expect(act.length).toBeGreaterThan(10);
  }
});
