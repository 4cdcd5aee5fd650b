/** docs/operations.md has the pool's table of node failures. */

import { test } from 'bun:test';
import { failureDetails } from '../../src/rpc/reply.ts';
import { type ErrorFault, type FaultMeaning, nodeFaults } from '../../src/upstream/port/node-faults.ts';
import { nodeErrors } from '../corpora/node-errors.ts';
import { expectPart, table } from './document-part.ts';

const errorRows = Object.entries(nodeFaults).flatMap(([fault, { isError }]) =>
  isError === true && isErrorFault(fault) ? [fault] : [],
);

function isErrorFault(name: string): name is ErrorFault {
  return nodeErrors.some(({ fault }) => fault === name);
}

const nodes: Readonly<Record<FaultMeaning['node'], string>> = {
  nothing: 'goes on',
  counts: 'has failed once more',
  out: 'is out until it is right',
};

test('the table of failures is the code', async () => {
  const rows = Object.entries(nodeFaults).map(([fault, { what, node, elsewhere, failure, isError }]) => [
    `\`${fault}\``,
    what,
    nodes[node],
    elsewhere ? 'yes' : 'no',
    isError === true ? 'its error' : failureDetails[failure],
  ]);
  const head = [
    '`failure`',
    'the node',
    'it then',
    'a read that was sent goes to the next node',
    'told when none answers',
  ];
  await expectPart('operations.md', 'faults', table(head, rows));
});

test('the table of JSON-RPC errors is the code, with examples that its tests try', async () => {
  const rows = [...errorRows, undefined].map((fault) => {
    const examples = nodeErrors.filter((each) => each.fault === fault);
    const some = examples.filter(({ from }, at) => examples.findIndex((each) => each.from === from) === at).slice(0, 4);
    return [
      fault === undefined ? 'none' : `\`${fault}\``,
      fault === undefined
        ? 'Speaks of the call: executed and failed, refused or wrong; and whatever no row knows'
        : nodeFaults[fault].what.replace('JSON-RPC error: ', ''),
      fault === undefined ? 'no' : nodeFaults[fault].elsewhere ? 'yes' : 'no',
      fault === undefined ? 'goes on' : nodes[nodeFaults[fault].node],
      some.map(({ from, code, message }) => `${from}: ${code} \`${message}\``).join('; '),
    ];
  });
  const head = ['row', 'what the error says', 'a read is tried elsewhere', 'the node then', 'such as'];
  await expectPart('contract/retries.md', 'errors', table(head, rows));
});
