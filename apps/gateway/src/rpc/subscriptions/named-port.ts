/**
 * A registered node, called on behalf of a user who may call it. Large answers are copied to memory at once, because
 * they are read at once.
 */

import { BufferedBody } from '@flowgate/bytes/buffered-body';
import { ByteRange } from '@flowgate/bytes/byte-range';
import type { NodeAnswer, NodeCall, NodeCaller, NodePort, NodeReply } from '../../upstream/port/node-port.ts';

/** The maximum size of a large answer: the same as for a block's logs. */
export const maxNamedBytes = 33_554_432;

/** `inNameOf`: undefined when no subscriber is left; the node then refuses the call. Feeds send no batches. */
export function createNamedPort(node: NodePort, inNameOf: () => NodeCaller | undefined): NodePort {
  return {
    send: (call: NodeCall) => node.send({ ...call, caller: inNameOf(), isOwn: true }).then(inMemory),
    sendBatch: (batch) => node.sendBatch({ ...batch, caller: inNameOf(), isOwn: true }),
  };
}

function inMemory(reply: NodeReply<NodeAnswer>): NodeReply<NodeAnswer> {
  if (!reply.ok || reply.answer.kind !== 'buffered') return reply;
  const body = new BufferedBody(reply.answer.buffers, reply.answer.parts);
  const pieces: Uint8Array[] = [];
  let size = 0;
  for (let piece = body.next(); piece !== undefined && size <= maxNamedBytes; piece = body.next()) {
    pieces.push(piece);
    size += piece.length;
  }
  body.release();
  if (size > maxNamedBytes) return { ok: false, failure: 'unusable', maybeDelivered: true };
  const bytes = Buffer.concat(pieces);
  return { ...reply, answer: { kind: 'result', raw: new ByteRange(bytes, 0, bytes.length) } };
}
