/** Decodes the body of a JSON-RPC request strictly, keeping ids and params as the bytes that arrived (contract/json-rpc#messages). */

import {
  createMembers,
  decodeString,
  isMember,
  rawMember,
  readFirstMembers,
  readMembers,
} from '../platform/json/json-members.ts';
import { endsAt, maxDepth, skipSpace, skipValue, unitAt } from '../platform/json/json-scan.ts';
import { methodName } from './method-names.ts';

/** One request or notification. Its strings may be views into the whole body: copy what outlives the request. */
export type Call = {
  readonly kind: 'call';
  /** Raw JSON text of the id, byte for byte; undefined for a notification. */
  readonly id: string | undefined;
  /** Decoded: escapes are resolved, nothing else is changed. */
  readonly method: string;
  /** Raw JSON text of an array or an object; undefined when left out or null. */
  readonly params: string | undefined;
};

/** Valid JSON, but not a valid request: -32600. */
export type InvalidMessage = {
  readonly kind: 'invalid';
  /** Raw JSON text of the id if it could be read, else `null`. */
  readonly id: string;
  /** The problem, for the caller. */
  readonly detail: string;
};

/** `too-many`: more than the allowed elements (413). `unparsable`: not valid JSON (-32700). */
export type DecodedBody =
  | { readonly kind: 'single'; readonly message: Call | InvalidMessage }
  | { readonly kind: 'batch'; readonly messages: readonly (Call | InvalidMessage)[] }
  | { readonly kind: 'too-many' }
  | { readonly kind: 'unparsable'; readonly detail: string };

const unparsable: DecodedBody = { kind: 'unparsable', detail: 'the body is not valid JSON, or is nested too deeply' };
const tooMany: DecodedBody = { kind: 'too-many' };
const notAnObject: InvalidMessage = { kind: 'invalid', id: 'null', detail: 'a request must be an object' };
const emptyBatch: InvalidMessage = { kind: 'invalid', id: 'null', detail: 'a batch must not be empty' };

const jsonrpcMember = 0;
const idMember = 1;
const methodMember = 2;
const paramsMember = 3;
/** One for all requests: `readMembers` fills it and `toMessage` empties it before anything else runs. */
const members = createMembers(['jsonrpc', 'id', 'method', 'params']);

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text that the bytes encode, undefined when they are not UTF-8. A byte order mark is kept, so that the scanner refuses it (RFC 8259, 8.1). */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Decodes a whole body as far as needed: of a single message, up to the member that makes the members too many; of a batch with more than `maxBatch` elements, up to
 * the last allowed one.
 */
export function decodeBody(text: string, maxBatch: number): DecodedBody {
  const start = skipSpace(text, 0);
  const unit = unitAt(text, start);
  if (unit === 0x5b) return decodeBatch(text, start, maxBatch);
  if (unit !== 0x7b) {
    const end = skipValue(text, start);
    return end >= 0 && endsAt(text, end) ? { kind: 'single', message: notAnObject } : unparsable;
  }
  const end = readFirstMembers(text, start, maxDepth, members);
  return members.overfull || (end >= 0 && endsAt(text, end))
    ? { kind: 'single', message: toMessage(text) }
    : unparsable;
}

function decodeBatch(text: string, start: number, maxBatch: number): DecodedBody {
  let i = skipSpace(text, start + 1);
  if (unitAt(text, i) === 0x5d) {
    return endsAt(text, i + 1) ? { kind: 'single', message: emptyBatch } : unparsable;
  }
  const messages: (Call | InvalidMessage)[] = [];
  for (;;) {
    if (messages.length >= maxBatch) return tooMany;
    const isObject = unitAt(text, i) === 0x7b;
    i = isObject ? readMembers(text, i, maxDepth - 1, members) : skipValue(text, i, maxDepth - 1);
    if (i < 0) return unparsable;
    messages.push(isObject ? toMessage(text) : notAnObject);
    i = skipSpace(text, i);
    const unit = unitAt(text, i);
    if (unit === 0x5d) return endsAt(text, i + 1) ? { kind: 'batch', messages } : unparsable;
    if (unit !== 0x2c) return unparsable;
    i = skipSpace(text, i + 1);
  }
}

/** Judges the envelope that `readMembers` has just read. */
function toMessage(text: string): Call | InvalidMessage {
  const idStart = members.spans[2 * idMember] ?? -1;
  const idIsReadable = idStart < 0 || ((members.repeated >> idMember) & 1) === 0;
  const id = idIsReadable && isId(text, idStart) ? rawMember(text, members, idMember) : 'null';
  if (members.problem !== undefined) return invalid(id, members.problem);
  if (!isId(text, idStart)) return invalid(id, 'id must be a number, a string or null');
  if (!isVersion2(text)) return invalid(id, 'jsonrpc must be the string "2.0"');
  const methodStart = members.spans[2 * methodMember] ?? -1;
  if (methodStart < 0 || unitAt(text, methodStart) !== 0x22) return invalid(id, 'method must be a string');
  const paramsStart = members.spans[2 * paramsMember] ?? -1;
  const unit = paramsStart < 0 ? 0x6e : unitAt(text, paramsStart);
  if (unit !== 0x5b && unit !== 0x7b && unit !== 0x6e) return invalid(id, 'params must be an array or an object');
  return {
    kind: 'call',
    id,
    method: methodName(text, methodStart, members.spans[2 * methodMember + 1] ?? 0),
    params: unit === 0x6e ? undefined : rawMember(text, members, paramsMember),
  };
}

function invalid(id: string | undefined, detail: string): InvalidMessage {
  return { kind: 'invalid', id: id ?? 'null', detail };
}

/** Whether a valid value at `start` may be an id: a string, a number or null; absent (-1) is fine too. */
function isId(text: string, start: number): boolean {
  if (start < 0) return true;
  const unit = unitAt(text, start);
  return unit === 0x22 || unit === 0x2d || unit === 0x6e || (unit >= 0x30 && unit <= 0x39);
}

/** The longest spelling has an escape for each character. */
const longestVersion = '"\\u0032\\u002e\\u0030"'.length;

function isVersion2(text: string): boolean {
  if (isMember(text, members, jsonrpcMember, '"2.0"')) return true;
  const raw = rawMember(text, members, jsonrpcMember);
  return raw !== undefined && raw.length <= longestVersion && unitAt(raw, 0) === 0x22 && decodeString(raw) === '2.0';
}
