/** Parses the notification of a subscription strictly. The result stays the bytes that arrived. */

import type { ByteRange } from '@flowgate/bytes/byte-range';
import { createMembers, decodeString, isMember, rawMember, readMembers } from '@flowgate/json/json-members';
import { byteAt, endsAt, maxAnswerDepth, skipSpace } from '@flowgate/json/json-scan';
import type { JsonText } from '../port/node-port.ts';

export type Notification = { readonly subscription: string; readonly result: JsonText };

/** Ids of nodes are 128 bits in hexadecimal digits. */
const maxIdLength = 130;

const envelopeMembers = ['jsonrpc', 'method', 'params'];
const paramsMembers = ['subscription', 'result'];

/** Undefined if the message is not a notification. `content` is UTF-8. */
export function readNotification(content: ByteRange): Notification | undefined {
  const { bytes: all, end } = content;
  const bytes = end === all.length ? all : all.subarray(0, end);
  const start = skipSpace(bytes, content.start);
  if (byteAt(bytes, start) !== 0x7b) return undefined;
  const envelope = createMembers(envelopeMembers);
  const after = readMembers(bytes, start, maxAnswerDepth, envelope);
  if (after < 0 || !endsAt(bytes, after) || envelope.problem !== undefined) return undefined;
  const reported = rawMember(bytes, envelope, 2);
  if (!isMember(bytes, envelope, 1, '"eth_subscription"') || reported === undefined) return undefined;
  const params = createMembers(paramsMembers);
  if (byteAt(bytes, reported.start) !== 0x7b || readMembers(bytes, reported.start, maxAnswerDepth, params) < 0)
    return undefined;
  const id = rawMember(bytes, params, 0);
  const result = rawMember(bytes, params, 1);
  const subscription = id === undefined ? undefined : subscriptionIdOf(id);
  return subscription === undefined || result === undefined || params.problem !== undefined
    ? undefined
    : { subscription, result };
}

/** The node's id of a subscription, from its JSON; undefined if it is not a short string. */
export function subscriptionIdOf(raw: JsonText): string | undefined {
  return raw.length > maxIdLength || byteAt(raw.bytes, raw.start) !== 0x22 ? undefined : decodeString(raw.text());
}
