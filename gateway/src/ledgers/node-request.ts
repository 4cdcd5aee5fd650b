/** The JSON-RPC text of a question to a node, with the gateway's own ids. */

import type { ByteWriter } from '../platform/bytes/byte-writer.ts';
import type { NodeQuestion } from './node-port.ts';

/**
 * Returns the first of `count` consecutive ids for the next calls. These are never the callers' ids, which a node might mangle, and never earlier ids: a late answer
 * of a broken node must not be taken for that of the next caller.
 */
export type TakeIds = (count: number) => number;

const isWordUnit = new Uint8Array(128);
for (const unit of Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_')) isWordUnit[unit] = 1;

/** Fits into the integer type of every node. */
const largestId = 2_147_483_647;

/** 0 is reserved: it is the id of the question for the chain. */
export function createNodeIds(): TakeIds {
  let nextId = 1;
  return (count) => {
    const firstId = nextId + count > largestId ? 1 : nextId;
    nextId = firstId + count;
    return firstId;
  };
}

const head = Buffer.from('{"jsonrpc":"2.0","id":');
const methodName = Buffer.from(',"method":');
const paramsName = Buffer.from(',"params":');
const quote = 0x22;
const openBracket = 0x5b;
const comma = 0x2c;
const closeBracket = 0x5d;
const closeBrace = 0x7d;

/** The gateway's own envelope around the caller's `params`: its length in bytes. */
export function requestLength({ method, params }: NodeQuestion, id: number): number {
  const name = isPlain(method) ? method.length + 2 : Buffer.byteLength(JSON.stringify(method));
  const own = head.length + digitsOf(id) + methodName.length + name + 1;
  return params === undefined ? own : own + paramsName.length + params.length;
}

export function writeRequest(writer: ByteWriter, { method, params }: NodeQuestion, id: number): void {
  writer.put(head);
  writer.number(id);
  writer.put(methodName);
  if (isPlain(method)) {
    writer.byte(quote);
    writer.ascii(method);
    writer.byte(quote);
  } else writer.utf8(JSON.stringify(method));
  if (params !== undefined) {
    writer.put(paramsName);
    writer.range(params.bytes, params.start, params.end);
  }
  writer.byte(closeBrace);
}

/** Whether it can stand between quotes as it is: letters, digits and underscores. */
function isPlain(method: string): boolean {
  for (let at = 0; at < method.length; at++) if (isWordUnit[method.charCodeAt(at)] !== 1) return false;
  return true;
}

/** Of a whole number that is not negative. */
function digitsOf(value: number): number {
  let digits = 1;
  for (let bound = 10; value >= bound; bound *= 10) digits++;
  return digits;
}

/** A batch whose ids count up from `firstId`, in the questions' order: its length in bytes. */
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
