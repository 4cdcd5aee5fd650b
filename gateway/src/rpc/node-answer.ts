/** Reads what a node answered, strictly and without building it: a result or an error leaves as the bytes that came. */

import { endsAt, MAX_ANSWER_DEPTH, skipSpace, skipValue, unitAt } from './json-scan.ts';
import { createMembers, rawMember, readMembers } from './members.ts';

/** Raw JSON text of the answer's `result` or `error` member. */
export type NodeAnswer =
  | { readonly kind: 'result'; readonly raw: string }
  | { readonly kind: 'error'; readonly raw: string };

const JSONRPC = 0;
const ID = 1;
const RESULT = 2;
const ERROR = 3;
/** One for all answers each: filled and read before anything else runs. */
const members = createMembers(['jsonrpc', 'id', 'result', 'error']);
const errorMembers = createMembers(['code', 'message', 'data']);

/** The answer to our request with the id `expectedId` (its JSON text); undefined when it is not one (502). */
export function readSingleAnswer(text: string, expectedId: string): NodeAnswer | undefined {
  const start = skipSpace(text, 0);
  if (unitAt(text, start) !== 0x7b) return undefined;
  const end = readMembers(text, start, MAX_ANSWER_DEPTH, members);
  if (end < 0 || !endsAt(text, end)) return undefined;
  const id = rawMember(text, members, ID);
  const answer = toAnswer(text);
  return id === expectedId || (id === 'null' && answer?.kind === 'error') ? answer : undefined;
}

/**
 * The answers to our batch with `count` ids from `firstId` on, in that order whatever the node's; undefined in the place
 * of one that is missing, doubled or rubbish. One error object without an id, for the whole batch, comes back as itself;
 * undefined when the text is none of these (502).
 */
export function readBatchAnswer(
  text: string,
  firstId: number,
  count: number,
): readonly (NodeAnswer | undefined)[] | NodeAnswer | undefined {
  const start = skipSpace(text, 0);
  if (unitAt(text, start) === 0x7b) {
    const end = readMembers(text, start, MAX_ANSWER_DEPTH, members);
    if (end < 0 || !endsAt(text, end)) return undefined;
    // An error that names an id answers a single call: somebody else's, come too late.
    const id = rawMember(text, members, ID);
    const answer = toAnswer(text);
    return (id === undefined || id === 'null') && answer?.kind === 'error' ? answer : undefined;
  }
  if (unitAt(text, start) !== 0x5b) return undefined;
  const answers = new Array<NodeAnswer | undefined>(count).fill(undefined);
  const first = skipSpace(text, start + 1);
  const end = unitAt(text, first) === 0x5d ? first + 1 : readElements(text, first, firstId, answers);
  return end >= 0 && endsAt(text, end) ? answers : undefined;
}

/** Fills `answers` from the elements that begin at `at`; the index after the closing bracket, or -1 when it is not JSON. */
function readElements(text: string, at: number, firstId: number, answers: (NodeAnswer | undefined)[]): number {
  const taken = new Uint8Array(answers.length);
  let i = at;
  for (;;) {
    const isObject = unitAt(text, i) === 0x7b;
    i = isObject ? readMembers(text, i, MAX_ANSWER_DEPTH - 1, members) : skipValue(text, i, MAX_ANSWER_DEPTH - 1);
    if (i < 0) return -1;
    const place = isObject ? placeOf(rawMember(text, members, ID), firstId, answers.length) : -1;
    if (place >= 0) {
      answers[place] = taken[place] === 1 ? undefined : toAnswer(text);
      taken[place] = 1;
    }
    i = skipSpace(text, i);
    const unit = unitAt(text, i);
    if (unit === 0x5d) return i + 1;
    if (unit !== 0x2c) return -1;
    i = skipSpace(text, i + 1);
  }
}

/** The place of the raw id among `count` ids from `firstId` on, -1 when it is none of ours. */
function placeOf(id: string | undefined, firstId: number, count: number): number {
  if (id === undefined || id.length > 10 || !/^[1-9][0-9]*$/.test(id)) return -1;
  const place = Number(id) - firstId;
  return place >= 0 && place < count ? place : -1;
}

/** Judges the answer that `readMembers` has just read; the id is the caller's affair. */
function toAnswer(text: string): NodeAnswer | undefined {
  if (members.problem !== undefined) return undefined;
  const version = rawMember(text, members, JSONRPC);
  if (version !== undefined && version !== '"2.0"') return undefined;
  const result = rawMember(text, members, RESULT);
  const error = rawMember(text, members, ERROR);
  if (error === undefined || error === 'null')
    return result === undefined ? undefined : { kind: 'result', raw: result };
  if (result !== undefined && result !== 'null') return undefined;
  return isErrorObject(error) ? { kind: 'error', raw: error } : undefined;
}

/** JSON-RPC 2.0, 5.1: an object with an integer `code` and a string `message`. `error` is valid JSON. */
function isErrorObject(error: string): boolean {
  if (unitAt(error, 0) !== 0x7b || readMembers(error, 0, MAX_ANSWER_DEPTH, errorMembers) < 0) return false;
  if (errorMembers.problem !== undefined) return false;
  const code = rawMember(error, errorMembers, 0);
  const message = rawMember(error, errorMembers, 1);
  return code !== undefined && /^-?[0-9]+$/.test(code) && message !== undefined && unitAt(message, 0) === 0x22;
}
