/** The JSON-RPC text of a question to a node, with the gateway's own ids. */

import type { JsonText, NodeQuestion } from './node-port.ts';

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

/** The gateway's own envelope around the caller's `params`. */
export function requestFor({ method, params }: NodeQuestion, id: number): JsonText {
  const name = isPlain(method) ? `"${method}"` : JSON.stringify(method);
  return params === undefined
    ? `{"jsonrpc":"2.0","id":${id},"method":${name}}`
    : `{"jsonrpc":"2.0","id":${id},"method":${name},"params":${params}}`;
}

/** Whether it can stand between quotes as it is: letters, digits and underscores. */
function isPlain(method: string): boolean {
  for (let at = 0; at < method.length; at++) if (isWordUnit[method.charCodeAt(at)] !== 1) return false;
  return true;
}

/** A batch whose ids count up from `firstId`, in the questions' order. */
export function batchRequestFor(questions: readonly NodeQuestion[], firstId: number): JsonText {
  let text = '[';
  let id = firstId;
  for (const question of questions) {
    if (id !== firstId) text += ',';
    text += requestFor(question, id);
    id += 1;
  }
  return `${text}]`;
}
