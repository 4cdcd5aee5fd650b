/** Finds the id in a node's message before the message is parsed. On a WebSocket, answers arrive in any order. */

import type { ByteRange } from '@flowgate/bytes/byte-range';
import { createMembers, isMember, readMembers } from '@flowgate/json/json-members';
import { byteAt, isTextAt, maxAnswerDepth, skipDigits, skipSpace } from '@flowgate/json/json-scan';
import { commonHead, idOf } from './node-answer.ts';

/** Values next to the gateway's positive ids: a message without an id or with null, a notification, and any other message. */
export const notAnId = { withoutId: 0, notification: -1, unreadable: -2 } as const;

const idMember = 0;
const methodMember = 1;
const members = ['id', 'method'];

/** The id of an answer, or the first one in the answer to a batch; else one of `notAnId`. `content` is a whole message in UTF-8. JSON is validated only where that is cheap. */
export function answerIdOf(content: ByteRange): number {
  const id = commonIdAt(content.bytes, content.start);
  return id > 0 ? id : anyIdOf(content);
}

/** Expects the most common form; else below 1. If the digits continue past the content, the later parse refuses the answer. */
function commonIdAt(bytes: Uint8Array, at: number): number {
  const from = at + commonHead.length;
  return isTextAt(bytes, at, commonHead) ? idOf(bytes, from, skipDigits(bytes, from)) : -1;
}

function anyIdOf({ bytes: all, start, end }: ByteRange): number {
  const bytes = end === all.length ? all : all.subarray(0, end);
  let at = skipSpace(bytes, start);
  if (byteAt(bytes, at) === 0x5b) at = skipSpace(bytes, at + 1);
  if (byteAt(bytes, at) !== 0x7b) return notAnId.unreadable;
  const id = commonIdAt(bytes, at);
  return id > 0 ? id : memberIdOf(bytes, at);
}

/** Expects an object whose `{` is at `at`. */
function memberIdOf(bytes: Uint8Array, at: number): number {
  const read = createMembers(members);
  if (readMembers(bytes, at, maxAnswerDepth, read) < 0) return notAnId.unreadable;
  const from = read.spans[2 * idMember] ?? -1;
  if (from < 0 && (read.spans[2 * methodMember] ?? -1) >= 0) return notAnId.notification;
  if (from < 0 || isMember(bytes, read, idMember, 'null')) return notAnId.withoutId;
  const id = idOf(bytes, from, read.spans[2 * idMember + 1] ?? from);
  return id > 0 ? id : notAnId.unreadable;
}

const atHead = /^\s*(?:\[\s*)?\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*([1-9]\d{0,9})\s*,/;
const atTail = /,\s*"id"\s*:\s*([1-9]\d{0,9})\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*(?:\]\s*)?$/;
/** Bytes at each end of a large message that are searched for its id. */
export const maxIdBytes = 256;

/** The id among the first members of a large message; undefined if there is none. It is a hint: parsing decides whether the message is that answer. */
export function idAtHead({ bytes, start, end }: ByteRange): number | undefined {
  return idBy(atHead, latin1(bytes, start, Math.min(end, start + maxIdBytes)));
}

/** The id at the end of a large message. If the message is JSON, the match is a member of the outermost object, because only one brace follows. */
export function idAtTail(tail: Uint8Array): number | undefined {
  return idBy(atTail, latin1(tail, Math.max(0, tail.length - maxIdBytes), tail.length));
}

function latin1(bytes: Uint8Array, from: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, end - from).toString('latin1');
}

function idBy(pattern: RegExp, text: string): number | undefined {
  const digits = pattern.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
