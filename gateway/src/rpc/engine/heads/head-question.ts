/** The call for the head, which the gateway answers from what it knows. */

import type { NodeQuestion } from '../../../ledgers/node-port.ts';

const { length: emptyLength } = '[]';

/** Without parameters. */
export function isHeadQuestion({ method, params }: NodeQuestion): boolean {
  return method === 'eth_blockNumber' && (params === undefined || params.length <= emptyLength);
}
