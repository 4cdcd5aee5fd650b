/** The table in docs/contract/retries.md lists the JSON-RPC errors that indicate a failure of the node. */

import { test } from 'bun:test';
import { type ErrorFault, nodeFaults } from '../../apps/gateway/src/upstream/port/node-faults.ts';
import { nodeErrors } from '../../apps/gateway/test/corpora/node-errors.ts';
import { expectPart, table } from './doc-pages.ts';
import { nodeEffects } from './node-failure-table.ts';

const errorRows = Object.entries(nodeFaults).flatMap(([fault, { isError }]) =>
  isError === true && isErrorFault(fault) ? [fault] : [],
);

function isErrorFault(name: string): name is ErrorFault {
  return nodeErrors.some(({ fault }) => fault === name);
}

test('the table of JSON-RPC errors is generated from the code, with examples from its tests', async () => {
  const rows = [...errorRows, undefined].map((fault) => {
    const examples = nodeErrors.filter((each) => each.fault === fault);
    const some = examples.filter(({ from }, at) => examples.findIndex((each) => each.from === from) === at).slice(0, 1);
    return [
      fault === undefined ? 'none' : `\`${fault}\``,
      fault === undefined
        ? 'About the call: executed and failed, rejected or invalid; also every error that no row matches'
        : nodeFaults[fault].what.replace('JSON-RPC error: ', ''),
      fault === undefined ? 'no' : nodeFaults[fault].elsewhere ? 'yes' : 'no',
      fault === undefined ? nodeEffects.nothing : nodeEffects[nodeFaults[fault].node],
      some.map(({ from, code, message }) => `${from}: ${code} \`${message}\``).join('; '),
    ];
  });
  const head = ['Failure', 'Meaning of the error', 'A read goes to the next node', 'Effect on the node', 'Examples'];
  await expectPart('contract/retries.md', 'errors', table(head, rows));
});
