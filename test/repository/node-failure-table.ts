/** Node failures as a table, from the code's own. */

import { failureDetails } from '../../apps/gateway/src/rpc/reply.ts';
import { type FaultMeaning, nodeFaults } from '../../apps/gateway/src/upstream/port/node-faults.ts';
import { table } from './document-part.ts';

/** What a failure means for the node. */
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
