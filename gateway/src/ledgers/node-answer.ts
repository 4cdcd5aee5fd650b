/** Reads a node's answer strictly and without building objects: a result or an error is passed on as the bytes that arrived. */

import { createMembers, isMember, rawMember, readMembers } from '../platform/json/json-members.ts';
import { endsAt, maxAnswerDepth, skipSpace, skipValue, unitAt } from '../platform/json/json-scan.ts';
import type { ElementAnswers, NodeError, TextAnswer } from './node-port.ts';

/** `inStep`: false when a part answered no call of this batch, or answered one of them twice. */
export type TextBatch = ElementAnswers & { readonly inStep: boolean };

/** The members of an answer that are read, each at its index. */
export const answerMembers = ['jsonrpc', 'id', 'result', 'error'] as const;
/** In digits. */
const longestId = 10;
const jsonrpcMember = 0;
const idMember = 1;
const resultMember = 2;
const errorMember = 3;
/** One for all answers: it is filled and read before other code runs. */
const members = createMembers(answerMembers);
const errorMembers = createMembers(['code', 'message', 'data']);

/** The answer to the request with the id `expectedId` (its JSON text); undefined when the text is no such answer. An error with the id null belongs to no call. */
export function readSingleAnswer(text: string, expectedId: string): TextAnswer | undefined {
  return readUsualResult(text, expectedId) ?? readAnyAnswer(text, expectedId);
}

const usualHead = '{"jsonrpc":"2.0","id":';
const usualResult = ',"result":';

/** Reads the spelling of most nodes, with the members in this order and nothing between them, at half the cost; undefined for any other. */
function readUsualResult(text: string, expectedId: string): TextAnswer | undefined {
  const afterId = usualHead.length + expectedId.length;
  if (!text.startsWith(usualHead) || !text.startsWith(expectedId, usualHead.length)) return undefined;
  if (!text.startsWith(usualResult, afterId)) return undefined;
  const start = afterId + usualResult.length;
  const end = skipValue(text, start, maxAnswerDepth - 1);
  return end >= 0 && unitAt(text, end) === 0x7d && endsAt(text, end + 1)
    ? { kind: 'result', raw: text.slice(start, end) }
    : undefined;
}

function readAnyAnswer(text: string, expectedId: string): TextAnswer | undefined {
  const start = skipSpace(text, 0);
  if (unitAt(text, start) !== 0x7b) return undefined;
  const end = readMembers(text, start, maxAnswerDepth, members);
  if (end < 0 || !endsAt(text, end)) return undefined;
  return rawMember(text, members, idMember) === expectedId ? toAnswer(text) : undefined;
}

/**
 * The answers to the batch with `count` ids from `firstId` on. A batch has no id of its own: one error object without an id, or with null, answers all of it.
 * Undefined when the text is none of these, or answers no call.
 */
export function readBatchAnswer(text: string, firstId: number, count: number): TextBatch | NodeError | undefined {
  const start = skipSpace(text, 0);
  if (unitAt(text, start) === 0x7b) return readNobodysError(text, start);
  if (unitAt(text, start) !== 0x5b) return undefined;
  const answers = new Array<TextAnswer | undefined>(count).fill(undefined);
  const first = skipSpace(text, start + 1);
  if (unitAt(text, first) === 0x5d) return undefined;
  const found = { strays: 0 };
  const end = readElements(text, first, firstId, answers, found);
  if (end < 0 || !endsAt(text, end) || answers.every((answer) => answer === undefined)) return undefined;
  return { kind: 'batch', answers, inStep: found.strays === 0 };
}

/** JSON-RPC 2.0, 5.1: Parse error and Invalid Request. */
const unreadableCodes = /^-32[67]00$/;

/** Whether this is what servers send for a request that they cannot read: one of these two errors, without an id or with null. */
export function saysUnreadable(text: string): boolean {
  const start = skipSpace(text, 0);
  const error = unitAt(text, start) === 0x7b ? readNobodysError(text, start) : undefined;
  if (error === undefined || readMembers(error.raw, 0, maxAnswerDepth, errorMembers) < 0) return false;
  return unreadableCodes.test(rawMember(error.raw, errorMembers, 0) ?? '');
}

function readNobodysError(text: string, start: number): NodeError | undefined {
  const end = readMembers(text, start, maxAnswerDepth, members);
  if (end < 0 || !endsAt(text, end)) return undefined;
  return refusesBatch(rawMember(text, members, idMember)) ? errorOnly(toAnswer(text)) : undefined;
}

/** Whether an object, instead of an array, with this id is about the whole batch. One that names an id answers a single call: another caller's, and too late. */
export function refusesBatch(id: string | undefined): boolean {
  return id === undefined || id === 'null';
}

function errorOnly(answer: TextAnswer | undefined): NodeError | undefined {
  return answer?.kind === 'error' ? answer : undefined;
}

/**
 * Fills `answers` from the elements that begin at `at`, and counts those that belong to no call or to one that has an answer already. Returns the index after the closing
 * bracket, or -1 when the text is not JSON.
 */
function readElements(
  text: string,
  at: number,
  firstId: number,
  answers: (TextAnswer | undefined)[],
  found: { strays: number },
): number {
  const taken = new Uint8Array(answers.length);
  let i = at;
  for (;;) {
    const usualEnd = readUsualElement(text, i, firstId, answers, taken);
    if (usualEnd >= 0) i = usualEnd;
    else {
      const isObject = unitAt(text, i) === 0x7b;
      i = isObject ? readMembers(text, i, maxAnswerDepth - 1, members) : skipValue(text, i, maxAnswerDepth - 1);
      if (i < 0) return -1;
      const place = isObject ? memberPlace(text, firstId, answers.length) : -1;
      if (place < 0 || taken[place] === 1) found.strays++;
      if (place >= 0) {
        answers[place] = taken[place] === 1 ? undefined : toAnswer(text);
        taken[place] = 1;
      }
    }
    i = skipSpace(text, i);
    const unit = unitAt(text, i);
    if (unit === 0x5d) return i + 1;
    if (unit !== 0x2c) return -1;
    i = skipSpace(text, i + 1);
  }
}

/** Reads a result in the usual spelling that is the first one for its call; returns the index after it. -1 for everything else, of which nothing was consumed. */
function readUsualElement(
  text: string,
  at: number,
  firstId: number,
  answers: (TextAnswer | undefined)[],
  taken: Uint8Array,
): number {
  if (!isTextAt(text, at, usualHead)) return -1;
  const idStart = at + usualHead.length;
  let i = idStart;
  let id = 0;
  for (let digit = unitAt(text, i) - 0x30; digit >= 0 && digit <= 9; digit = unitAt(text, ++i) - 0x30)
    id = id * 10 + digit;
  const place = id - firstId;
  const isOurs = unitAt(text, idStart) !== 0x30 && i - idStart <= longestId && place >= 0 && place < answers.length;
  if (!isOurs || taken[place] === 1 || !isTextAt(text, i, usualResult)) return -1;
  const start = i + usualResult.length;
  const end = skipValue(text, start, maxAnswerDepth - 2);
  if (end < 0 || unitAt(text, end) !== 0x7d) return -1;
  answers[place] = { kind: 'result', raw: text.slice(start, end) };
  taken[place] = 1;
  return end + 1;
}

/** A loop, because `startsWith` calls the runtime, which costs more than comparing so few characters. */
function isTextAt(text: string, at: number, expected: string): boolean {
  for (let n = 0; n < expected.length; n++) if (unitAt(text, at + n) !== expected.charCodeAt(n)) return false;
  return true;
}

/** The position of the raw id among `count` ids from `firstId` on, -1 when it is none of them. */
export function placeOf(id: string | undefined, firstId: number, count: number): number {
  if (id === undefined || id.length > longestId || !/^[1-9][0-9]*$/.test(id)) return -1;
  const place = Number(id) - firstId;
  return place >= 0 && place < count ? place : -1;
}

/** Like `placeOf`, for the id that `readMembers` has just found. */
function memberPlace(text: string, firstId: number, count: number): number {
  const start = members.spans[2 * idMember] ?? -1;
  const end = members.spans[2 * idMember + 1] ?? -1;
  if (start < 0 || unitAt(text, start) === 0x30 || end - start > longestId) return -1;
  let id = 0;
  for (let at = start; at < end; at++) {
    const digit = unitAt(text, at) - 0x30;
    if (digit < 0 || digit > 9) return -1;
    id = id * 10 + digit;
  }
  const place = id - firstId;
  return place >= 0 && place < count ? place : -1;
}

/** Judges the envelope that `readMembers` has just read; the caller checks the id. */
function toAnswer(text: string): TextAnswer | undefined {
  if (members.problem !== undefined) return undefined;
  const hasVersion = (members.spans[2 * jsonrpcMember] ?? -1) >= 0;
  if (hasVersion && !isMember(text, members, jsonrpcMember, '"2.0"')) return undefined;
  const result = rawMember(text, members, resultMember);
  const error = rawMember(text, members, errorMember);
  if (error === undefined || error === 'null')
    return result === undefined ? undefined : { kind: 'result', raw: result };
  if (result !== undefined && result !== 'null') return undefined;
  return isErrorObject(error) ? { kind: 'error', raw: error } : undefined;
}

/** JSON-RPC 2.0, 5.1: an object with an integer `code` and a string `message`. `error` is valid JSON. */
export function isErrorObject(error: string): boolean {
  if (unitAt(error, 0) !== 0x7b || readMembers(error, 0, maxAnswerDepth, errorMembers) < 0) return false;
  if (errorMembers.problem !== undefined) return false;
  const code = rawMember(error, errorMembers, 0);
  const message = rawMember(error, errorMembers, 1);
  return code !== undefined && /^-?[0-9]+$/.test(code) && message !== undefined && unitAt(message, 0) === 0x22;
}
