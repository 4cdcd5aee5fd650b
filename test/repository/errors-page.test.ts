/** docs/reference/errors.md is generated from the error catalog, the table of node failures and the guidance. */

import { expect, test } from 'bun:test';
import { type RefusalReason, refusalReasons, refusals, urnPrefix } from '../../apps/gateway/src/api/refusal.ts';
import { expectPage, referencePage, table, withLinks } from './doc-pages.ts';
import { errorGuidance } from './error-guidance.ts';
import { nodeFailureTable } from './node-failure-table.ts';

const code = (text: string | number) => `\`${text}\``;

/** Whether responses for the reason have `Retry-After`. Only 429 and 503 have it. */
function retryAfter(reason: RefusalReason): string {
  const { status, rpc } = refusals[reason];
  const has = (each: number) => each === 429 || each === 503;
  if (has(status) !== has(rpc?.status ?? status)) return 'not on JSON-RPC';
  return has(status) ? 'yes' : 'no';
}

function reasonTable(): string {
  const rows = refusalReasons.map((reason) => {
    const { when, action } = errorGuidance[reason];
    return [code(reason), withLinks(when), action, retryAfter(reason)];
  });
  return table(['Reason', 'When', 'What to do', '`Retry-After`'], rows);
}

function standardErrorTable(): string {
  const rows = refusalReasons.map((reason) => {
    const { status, label, message } = refusals[reason];
    return [code(reason), String(status), label, message];
  });
  return table(['Reason', 'Status', '`error`', '`message`, unless a more specific one applies'], rows);
}

function jsonRpcTable(): string {
  const rows = refusalReasons.flatMap((reason) => {
    const { rpc } = refusals[reason];
    const status = reason === 'unanswered' ? '200, in a batch' : String(rpc?.status);
    return rpc === undefined ? [] : [[code(reason), status, code(rpc.code), rpc.message]];
  });
  return table(['Reason', 'Status', '`code`', '`message`'], rows);
}

function problemDetailsTable(): string {
  const rows = refusalReasons.map((reason) => {
    const { status, urn, title, retryable } = refusals[reason];
    return [code(reason), String(status), code(urnPrefix + urn), title, retryable ? 'yes' : 'no'];
  });
  return table(['Reason', 'Status', '`type`', '`title`', '`retryable`'], rows);
}

test('the page is generated from the catalog (contract/errors#envelopes; contract/conventions#retry-after; contract/json-rpc)', async () => {
  await expectPage(
    'reference/errors.md',
    referencePage(
      'Errors',
      'Every error has a reason. The route determines the form of the error ([contract](../contract/errors.md)): JSON-RPC error or StandardError on JSON-RPC routes, ProblemDetails on Flow routes, StandardError elsewhere. A running gateway shows the same tables at `/reference`.',
      `## Reasons\n\n${reasonTable()}`,
      `## StandardError\n\n${standardErrorTable()}`,
      '## JSON-RPC errors',
      'On JSON-RPC routes, reasons that are not in this table are StandardErrors, too. The status of a batch is 200, and each element has its own error.',
      jsonRpcTable(),
      `## ProblemDetails\n\n${problemDetailsTable()}`,
      '## Node failures',
      'These names are values of the label `outcome` of `flowgate_node_requests_total` and of the field `failure` of the log event `node.failed`. "Counts" means that the circuit breaker of the node counts the failure.',
      nodeFailureTable(),
    ),
  );
});

test('the guidance has a cause and an action for each reason', () => {
  for (const reason of refusalReasons) {
    const { when, action } = errorGuidance[reason];
    expect([reason, when.length > 10, action.length > 10]).toEqual([reason, true, true]);
  }
});
