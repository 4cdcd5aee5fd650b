/** The JSON-RPC text of a request to a node, with ids of the gateway. */

import { memoized } from '@flowgate/async/bounded-map';
import type { ByteWriter } from '@flowgate/bytes/byte-writer';
import type { NodeQuestion } from './node-port.ts';

/** Returns the first of `count` consecutive ids. Callers' ids are not used, because a node might change them. Ids are never repeated, so a late answer of a faulty node cannot reach the next caller. */
export type TakeIds = (count: number) => number;

/** Fits into the integer type of all nodes. */
const maxId = 2_147_483_647;

/** Id 0 is reserved for the request for the chain's identity. */
export function createNodeIds(): TakeIds {
  let nextId = 1;
  return (count) => {
    const firstId = nextId + count > maxId ? 1 : nextId;
    nextId = firstId + count;
    return firstId;
  };
}

const head = Buffer.from('{"jsonrpc":"2.0","id":');
const paramsName = ',"params":';
/** Cached names. Clients use a few dozen. */
const maxNames = 1_024;
const maxNameLength = 64;
const openBracket = 0x5b;
const comma = 0x2c;
const closeBracket = 0x5d;
const closeBrace = 0x7d;

/** The length in bytes of the gateway's envelope with the caller's `params`. */
export function requestLength({ method, params }: NodeQuestion, id: number): number {
  const length = head.length + digitsOf(id) + middleOf(method).length + 1;
  return params === undefined ? length - paramsName.length : length + params.length;
}

export function writeRequest(writer: ByteWriter, { method, params }: NodeQuestion, id: number): void {
  const middle = middleOf(method);
  writer.put(head);
  writer.number(id);
  if (params === undefined) writer.range(middle, 0, middle.length - paramsName.length);
  else {
    writer.put(middle);
    writer.range(params.bytes, params.start, params.end);
  }
  writer.byte(closeBrace);
}

/** The bytes between id and params. */
function middleOf(method: string): Uint8Array {
  return method.length > maxNameLength ? encodedMiddle(method) : cachedMiddle(method);
}

const cachedMiddle = memoized(maxNames, encodedMiddle);

function encodedMiddle(method: string): Uint8Array {
  return Buffer.from(`,"method":${JSON.stringify(method)}${paramsName}`);
}

/** Digits of a non-negative integer. */
function digitsOf(value: number): number {
  let digits = 1;
  for (let bound = 10; value >= bound; bound *= 10) digits++;
  return digits;
}

/** The length in bytes of a batch whose ids count up from `firstId` in the order of the questions. */
export function batchLength(questions: readonly NodeQuestion[], firstId: number): number {
  let length = 2 + Math.max(0, questions.length - 1);
  let id = firstId;
  for (const question of questions) length += requestLength(question, id++);
  return length;
}

export function writeBatch(writer: ByteWriter, questions: readonly NodeQuestion[], firstId: number): void {
  writer.byte(openBracket);
  let id = firstId;
  for (const question of questions) {
    if (id !== firstId) writer.byte(comma);
    writeRequest(writer, question, id++);
  }
  writer.byte(closeBracket);
}
