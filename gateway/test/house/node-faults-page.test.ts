/** docs/operations.md has the pool's table of node failures. */

import { test } from 'bun:test';
import { type FaultMeaning, nodeFaults } from '../../src/ledgers/node-faults.ts';
import { failureDetails } from '../../src/rpc/reply.ts';
import { expectPart, table } from './document-part.ts';

const nodes: Readonly<Record<FaultMeaning['node'], string>> = {
  nothing: 'goes on',
  rests: 'rests',
  probed: 'rests, probed at once',
  out: 'is out until it is right',
};

test('the table of failures is the code', async () => {
  const rows = Object.entries(nodeFaults).map(([fault, { what, node, elsewhere, failure }]) => [
    `\`${fault}\``,
    what,
    nodes[node],
    elsewhere ? 'yes' : 'no',
    failureDetails[failure],
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
