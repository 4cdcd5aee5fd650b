/** Parses a node's answer strictly, without creating objects. Results and errors stay the bytes that arrived. */

import { ByteRange } from '@flowgate/bytes/byte-range';
import { createMembers, isMember, type Members, rawMember, readMembers } from '@flowgate/json/json-members';
import { byteAt, endsAt, isTextAt, maxAnswerDepth, skipDigits, skipSpace, skipValue } from '@flowgate/json/json-scan';
import type { ElementAnswers, JsonText, NodeError, TextAnswer } from '../port/node-port.ts';

/** `inStep`: false if an element answered no call of this batch, or answered a call twice. */
export type TextBatch = ElementAnswers & { readonly inStep: boolean };

/** The indexes of the members of an answer. */
export const answerMembers = ['jsonrpc', 'id', 'result', 'error'] as const;
/** In digits. */
const maxIdLength = 10;
const jsonrpcMember = 0;
const idMember = 1;
const resultMember = 2;
const errorMember = 3;
const errorMembers = ['code', 'message', 'data'];

/** The answer to the request with the id `expectedId`, from UTF-8 content; undefined if the content is not that answer. An error with the id null belongs to no call. */
export function readSingleAnswer(content: ByteRange, expectedId: number): TextAnswer | undefined {
  return readCommonResult(content, expectedId) ?? readAnyAnswer(upToEnd(content), content.start, expectedId);
}

/** The scanner reads to the end of its bytes, which mostly is the end of the content. */
function upToEnd({ bytes, end }: ByteRange): Uint8Array {
  return end === bytes.length ? bytes : bytes.subarray(0, end);
}

export const commonHead = Buffer.from('{"jsonrpc":"2.0","id":');
const commonResult = Buffer.from(',"result":');

/** Parses the most common form, with the members in this order and without white space, at half the cost; undefined for other forms. */
function readCommonResult(content: ByteRange, expectedId: number): TextAnswer | undefined {
  // Without a view that ends with the content, which costs as much as the rest. The scan may read bytes after the content, but they never become part of the answer.
  const { bytes, start: at } = content;
  if (!isTextAt(bytes, at, commonHead)) return undefined;
  const idStart = at + commonHead.length;
  const idEnd = skipDigits(bytes, idStart);
  if (idOf(bytes, idStart, idEnd) !== expectedId || !isTextAt(bytes, idEnd, commonResult)) return undefined;
  const start = idEnd + commonResult.length;
  const end = skipValue(bytes, start, maxAnswerDepth - 1);
  const isWhole = end >= 0 && end < content.end && byteAt(bytes, end) === 0x7d;
  return isWhole && skipSpace(bytes, end + 1) >= content.end
    ? { kind: 'result', raw: new ByteRange(bytes, start, end) }
    : undefined;
}

function readAnyAnswer(bytes: Uint8Array, at: number, expectedId: number): TextAnswer | undefined {
  const start = skipSpace(bytes, at);
  if (byteAt(bytes, start) !== 0x7b) return undefined;
  const members = createMembers(answerMembers);
  const end = readMembers(bytes, start, maxAnswerDepth, members);
  if (end < 0 || !endsAt(bytes, end)) return undefined;
  return memberId(bytes, members) === expectedId ? toAnswer(bytes, members) : undefined;
}

/** The gateway's id in `bytes[start, end)`; -1 if these are no digits (`end` may then be -1), too many, or begin with a zero. */
export function idOf(bytes: Uint8Array, start: number, end: number): number {
  if (start >= end || end - start > maxIdLength || bytes[start] === 0x30) return -1;
  let id = 0;
  for (let at = start; at < end; at++) {
    const digit = byteAt(bytes, at) - 0x30;
    if (digit < 0 || digit > 9) return -1;
    id = id * 10 + digit;
  }
  return id;
}

/** The id in an envelope; -1 if it is not an id of the gateway. */
function memberId(bytes: Uint8Array, members: Members): number {
  const start = members.spans[2 * idMember] ?? -1;
  return start < 0 ? -1 : idOf(bytes, start, members.spans[2 * idMember + 1] ?? start);
}

/** The answers to the batch with `count` ids from `firstId` on. A single error object without an id, or with null, answers the whole batch. Undefined if the text is neither, or answers no call. */
export function readBatchAnswer(content: ByteRange, firstId: number, count: number): TextBatch | NodeError | undefined {
  const bytes = upToEnd(content);
  const start = skipSpace(bytes, content.start);
  if (byteAt(bytes, start) === 0x7b) return readErrorWithoutId(bytes, start);
  if (byteAt(bytes, start) !== 0x5b) return undefined;
  const answers = new Array<TextAnswer | undefined>(count).fill(undefined);
  const first = skipSpace(bytes, start + 1);
  if (byteAt(bytes, first) === 0x5d) return undefined;
  const found = { strays: 0 };
  const end = readElements(bytes, first, firstId, answers, found);
  if (end < 0 || !endsAt(bytes, end) || answers.every((answer) => answer === undefined)) return undefined;
  return { kind: 'batch', answers, inStep: found.strays === 0 };
}

/** JSON-RPC 2.0, 5.1: Parse error and Invalid Request. */
const unreadableCodes = /^-32[67]00$/;

/** Whether this is a server's answer to a request that it cannot parse: one of these two errors, without an id or with null. */
export function saysUnreadable(content: ByteRange): boolean {
  const bytes = upToEnd(content);
  const start = skipSpace(bytes, content.start);
  const raw = byteAt(bytes, start) === 0x7b ? readErrorWithoutId(bytes, start)?.raw : undefined;
  const members = createMembers(errorMembers);
  if (raw === undefined || readMembers(raw.bytes, raw.start, maxAnswerDepth, members) < 0) return false;
  return unreadableCodes.test(rawMember(raw.bytes, members, 0)?.text() ?? '');
}

function readErrorWithoutId(bytes: Uint8Array, start: number): NodeError | undefined {
  const members = createMembers(answerMembers);
  const end = readMembers(bytes, start, maxAnswerDepth, members);
  if (end < 0 || !endsAt(bytes, end)) return undefined;
  return refusesBatch(rawMember(bytes, members, idMember)?.text()) ? errorOnly(toAnswer(bytes, members)) : undefined;
}

/** Whether a single object with this id is about the whole batch. An error that names an id belongs to a single call: an earlier one of another caller. */
export function refusesBatch(id: string | undefined): boolean {
  return id === undefined || id === 'null';
}

function errorOnly(answer: TextAnswer | undefined): NodeError | undefined {
  return answer?.kind === 'error' ? answer : undefined;
}

/** Fills `answers` from the elements that begin at `at`. Counts elements that belong to no call, or to a call that has an answer already. Returns the index after the closing bracket, or -1 if the content is not JSON. */
function readElements(
  bytes: Uint8Array,
  at: number,
  firstId: number,
  answers: (TextAnswer | undefined)[],
  found: { strays: number },
): number {
  const taken = new Uint8Array(answers.length);
  const members = createMembers(answerMembers);
  let i = at;
  for (;;) {
    const commonEnd = readCommonElement(bytes, i, firstId, answers, taken);
    if (commonEnd >= 0) i = commonEnd;
    else {
      const isObject = byteAt(bytes, i) === 0x7b;
      i = isObject ? readMembers(bytes, i, maxAnswerDepth - 1, members) : skipValue(bytes, i, maxAnswerDepth - 1);
      if (i < 0) return -1;
      const place = isObject ? memberId(bytes, members) - firstId : -1;
      const isOurs = place >= 0 && place < answers.length;
      if (!isOurs || taken[place] === 1) found.strays++;
      if (isOurs) {
        answers[place] = taken[place] === 1 ? undefined : toAnswer(bytes, members);
        taken[place] = 1;
      }
    }
    i = skipSpace(bytes, i);
    const byte = byteAt(bytes, i);
    if (byte === 0x5d) return i + 1;
    if (byte !== 0x2c) return -1;
    i = skipSpace(bytes, i + 1);
  }
}

/** Parses a result in the most common form that is the first one for its call. Returns the index after it; -1 for other elements, of which nothing was consumed. */
function readCommonElement(
  bytes: Uint8Array,
  at: number,
  firstId: number,
  answers: (TextAnswer | undefined)[],
  taken: Uint8Array,
): number {
  if (!isTextAt(bytes, at, commonHead)) return -1;
  const idStart = at + commonHead.length;
  const idEnd = skipDigits(bytes, idStart);
  const place = idOf(bytes, idStart, idEnd) - firstId;
  const isOurs = place >= 0 && place < answers.length;
  if (!isOurs || taken[place] === 1 || !isTextAt(bytes, idEnd, commonResult)) return -1;
  const start = idEnd + commonResult.length;
  const end = skipValue(bytes, start, maxAnswerDepth - 2);
  if (end < 0 || byteAt(bytes, end) !== 0x7d) return -1;
  answers[place] = { kind: 'result', raw: new ByteRange(bytes, start, end) };
  taken[place] = 1;
  return end + 1;
}

/** The position of the raw id among `count` ids from `firstId` on; -1 if it is not among them. */
export function placeOf(id: string | undefined, firstId: number, count: number): number {
  if (id === undefined || id.length > maxIdLength || !/^[1-9][0-9]*$/.test(id)) return -1;
  const place = Number(id) - firstId;
  return place >= 0 && place < count ? place : -1;
}

/** Validates an envelope. The caller checks the id. */
function toAnswer(bytes: Uint8Array, members: Members): TextAnswer | undefined {
  if (members.problem !== undefined) return undefined;
  const hasVersion = (members.spans[2 * jsonrpcMember] ?? -1) >= 0;
  if (hasVersion && !isMember(bytes, members, jsonrpcMember, '"2.0"')) return undefined;
  const result = rawMember(bytes, members, resultMember);
  const error = rawMember(bytes, members, errorMember);
  if (error === undefined || isMember(bytes, members, errorMember, 'null'))
    return result === undefined ? undefined : { kind: 'result', raw: result };
  if (result !== undefined && !isMember(bytes, members, resultMember, 'null')) return undefined;
  return isErrorObject(error) ? { kind: 'error', raw: error } : undefined;
}

/** JSON-RPC 2.0, 5.1: an object with an integer `code` and a string `message`. `error` is valid JSON. */
export function isErrorObject({ bytes, start }: JsonText): boolean {
  const members = createMembers(errorMembers);
  if (byteAt(bytes, start) !== 0x7b || readMembers(bytes, start, maxAnswerDepth, members) < 0) return false;
  if (members.problem !== undefined) return false;
  const code = rawMember(bytes, members, 0);
  const message = rawMember(bytes, members, 1);
  return isInteger(code) && message !== undefined && byteAt(bytes, message.start) === 0x22;
}

/** Whether a valid JSON value is an integer in digits, with an optional sign. */
function isInteger(value: JsonText | undefined): boolean {
  if (value === undefined) return false;
  const first = byteAt(value.bytes, value.start) === 0x2d ? value.start + 1 : value.start;
  return first < value.end && skipDigits(value.bytes, first) === value.end;
}
