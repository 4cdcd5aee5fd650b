/** Builds the table of node failures from the code. */

import { failureDetails } from '../../apps/gateway/src/rpc/reply.ts';
import { type FaultMeaning, nodeFaults } from '../../apps/gateway/src/upstream/port/node-faults.ts';
import { table } from './doc-pages.ts';

/** The effect of a failure on the node. */
export const nodeEffects: Readonly<Record<FaultMeaning['node'], string>> = {
  nothing: 'no effect',
  counts: 'counts',
  out: 'no calls until a health check succeeds',
};

export function nodeFailureTable(): string {
  const rows = Object.entries(nodeFaults).map(([fault, { what, node, elsewhere, failure, isError }]) => [
    `\`${fault}\``,
    what,
    nodeEffects[node],
    elsewhere ? 'yes' : 'no',
    isError === true ? "the node's error" : failureDetails[failure],
  ]);
  return table(
    ['Failure', 'Cause', 'Effect on the node', 'A read goes to the next node', 'Error when no node answers'],
    rows,
  );
}
