/** The call for the head, which the gateway answers from memory. */

import { rangeOf } from '@flowgate/bytes/byte-range';
import type { NodeAnswer, NodeQuestion, NodeReply, TextAnswer } from '../../../upstream/port/node-port.ts';

export type HeadReply = Extract<NodeReply<NodeAnswer>, { ok: true }> & { readonly answer: TextAnswer };

const { length: emptyLength } = '[]';

/** Without parameters. */
export function isHeadQuestion({ method, params }: NodeQuestion): boolean {
  return method === 'eth_blockNumber' && (params === undefined || params.length <= emptyLength);
}

/** `nodeId`: the node that reported this head; empty for none. */
export function headReply(height: number, nodeId: string): HeadReply {
  const raw = rangeOf(`"0x${height.toString(16)}"`);
  return { ok: true, nodeId, answer: { kind: 'result', raw }, from: 'cache', attempts: 0 };
}
