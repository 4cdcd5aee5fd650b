/**
 * Decodes the body of a JSON-RPC request strictly. Ids and params stay the bytes that arrived
 * (contract/json-rpc#messages).
 */

import { ByteRange, rangeOf } from '@flowgate/bytes/byte-range';
import {
  clearMembers,
  createMembers,
  decodeString,
  isMember,
  type Members,
  rawMember,
  readFirstMembers,
  readMoreMembers,
  setMember,
} from '@flowgate/json/json-members';
import {
  byteAt,
  endsAt,
  isTextAt,
  type KnownEnds,
  maxDepth,
  skipDigits,
  skipRestOfObject,
  skipSpace,
  skipString,
  skipValue,
} from '@flowgate/json/json-scan';
import type { JsonText } from '../upstream/port/node-port.ts';
import { type AnswerForm, version1, version2 } from './answer-content.ts';
import { methodName } from './method-names.ts';

/** A request or notification. Its texts are ranges of the whole body: copy any text that must outlive the request. */
export type Call = {
  readonly kind: 'call';
  /** Raw JSON text of the id, byte for byte. Undefined for a notification. */
  readonly id: JsonText | undefined;
  /** Escapes are resolved; nothing else is changed. */
  readonly method: string;
  /** Raw JSON text of an array or object. Undefined when the member is missing or null. */
  readonly params: JsonText | undefined;
  /** The answer form of the message's version. */
  readonly form: AnswerForm;
};

/** Valid JSON, but not a valid request: -32600. */
export type InvalidMessage = {
  readonly kind: 'invalid';
  /** Raw JSON text of the id, or `null` when no id could be read. */
  readonly id: JsonText;
  /** Describes the problem to the caller. */
  readonly detail: string;
  readonly form: AnswerForm;
};

/** `too-many`: more elements than allowed (413). `unparsable`: not valid JSON (-32700). */
export type DecodedBody =
  | { readonly kind: 'single'; readonly message: Call | InvalidMessage }
  | { readonly kind: 'batch'; readonly messages: readonly (Call | InvalidMessage)[] }
  | { readonly kind: 'too-many' }
  | { readonly kind: 'unparsable'; readonly detail: string };

const unparsable: DecodedBody = { kind: 'unparsable', detail: 'the body is not valid JSON, or is nested too deeply' };
const tooMany: DecodedBody = { kind: 'too-many' };
const noId = rangeOf('null');
const notAnObject: InvalidMessage = {
  kind: 'invalid',
  id: noId,
  detail: 'a request must be an object',
  form: version2,
};
const emptyBatch: InvalidMessage = { kind: 'invalid', id: noId, detail: 'a batch must not be empty', form: version2 };

/**
 * In bytes of JSON. An answer repeats the id, so a longer id would make every refusal as large as its request
 * (contract/json-rpc#messages).
 */
export const maxIdBytes = 16_384;
const idTooLong = `id must be at most ${maxIdBytes} bytes of JSON`;

const jsonrpcMember = 0;
const idMember = 1;
const methodMember = 2;
const paramsMember = 3;
const memberNames = ['jsonrpc', 'id', 'method', 'params'];

/**
 * Decodes a UTF-8 body as far as needed: a single message up to the first member beyond the maximum, and a batch with
 * more than `maxBatch` elements up to the last allowed element. `takesVersion1`: messages of JSON-RPC 1.0 and messages
 * without a version are calls, too. `knownEnds`: the ends of values that were scanned before, for as many levels of
 * nesting as the whole body may have.
 */
export function decodeBody(
  bytes: Uint8Array,
  maxBatch: number,
  takesVersion1 = false,
  knownEnds?: KnownEnds,
): DecodedBody {
  const start = skipSpace(bytes, 0);
  const reader = new MessageReader(bytes, takesVersion1, knownEnds);
  const byte = byteAt(bytes, start);
  if (byte === 0x5b) return decodeBatch(bytes, start, maxBatch, reader);
  if (byte !== 0x7b) {
    const end = reader.skipValue(start, maxDepth);
    return end >= 0 && endsAt(bytes, end) ? { kind: 'single', message: notAnObject } : unparsable;
  }
  const message = reader.read(start, maxDepth);
  return message !== undefined && endsAt(bytes, reader.end) ? { kind: 'single', message } : unparsable;
}

function decodeBatch(bytes: Uint8Array, start: number, maxBatch: number, reader: MessageReader): DecodedBody {
  let i = skipSpace(bytes, start + 1);
  if (byteAt(bytes, i) === 0x5d) {
    return endsAt(bytes, i + 1) ? { kind: 'single', message: emptyBatch } : unparsable;
  }
  const messages: (Call | InvalidMessage)[] = [];
  for (;;) {
    if (messages.length >= maxBatch) return tooMany;
    const isObject = byteAt(bytes, i) === 0x7b;
    const message = isObject ? reader.read(i, maxDepth - 1) : notAnObject;
    i = isObject ? reader.end : reader.skipValue(i, maxDepth - 1);
    if (message === undefined || i < 0) return unparsable;
    messages.push(message);
    i = skipSpace(bytes, i);
    const byte = byteAt(bytes, i);
    if (byte === 0x5d) return endsAt(bytes, i + 1) ? { kind: 'batch', messages } : unparsable;
    if (byte !== 0x2c) return unparsable;
    i = skipSpace(bytes, i + 1);
  }
}

const commonHead = Buffer.from('{"jsonrpc":"2.0","id":');
const commonMethod = Buffer.from(',"method":');
const commonParams = Buffer.from(',"params":');
/** Positions of the version, relative to the id that follows it. */
const versionStart = '"2.0","id":'.length;
const versionEnd = ',"id":'.length;

/** Reads the messages of a body one after another. */
class MessageReader {
  /** The index after the last message; -1 when that message is not valid JSON. */
  end = 0;
  #members: Members | undefined;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly takesVersion1: boolean,
    private readonly knownEnds: KnownEnds | undefined,
  ) {}

  skipValue(at: number, levels: number): number {
    return this.knownEnds?.get(at) ?? skipValue(this.bytes, at, levels);
  }

  /**
   * Reads the object at `at`, which may nest `levels` deep. Undefined when it is not valid JSON. When the body is a
   * single object with too many members, the remaining members are not read.
   */
  read(at: number, levels: number): Call | InvalidMessage | undefined {
    const { bytes } = this;
    if (isTextAt(bytes, at, commonHead)) {
      const idStart = at + commonHead.length;
      const idEnd = skipCommonId(bytes, idStart);
      if (idEnd >= 0 && idEnd - idStart <= maxIdBytes && isTextAt(bytes, idEnd, commonMethod)) {
        const methodStart = idEnd + commonMethod.length;
        const methodEnd = skipString(bytes, methodStart);
        if (methodEnd >= 0) return this.#readCommonForm(at, idStart, idEnd, methodStart, methodEnd, levels);
      }
    }
    return this.#conclude(at, readFirstMembers(bytes, at, levels, this.#envelope), levels, this.takesVersion1);
  }

  get #envelope(): Members {
    this.#members ??= createMembers(memberNames, this.knownEnds);
    return this.#members;
  }

  /**
   * The fast path: most clients write the four members in this order and without blanks. These members are compared as
   * bytes, and only further members are read one by one. The value of `method` is a string.
   */
  #readCommonForm(
    at: number,
    idStart: number,
    idEnd: number,
    methodStart: number,
    methodEnd: number,
    levels: number,
  ): Call | InvalidMessage | undefined {
    const { bytes } = this;
    const hasParams = isTextAt(bytes, methodEnd, commonParams);
    const paramsStart = hasParams ? skipSpace(bytes, methodEnd + commonParams.length) : -1;
    const end = hasParams ? this.skipValue(paramsStart, levels - 1) : methodEnd;
    if (end < 0) return undefined;
    if (byteAt(bytes, end) === 0x7d && (!hasParams || opensParams(byteAt(bytes, paramsStart)))) {
      this.end = end + 1;
      return {
        kind: 'call',
        id: new ByteRange(bytes, idStart, idEnd),
        method: methodName(bytes, methodStart, methodEnd),
        params: hasParams ? new ByteRange(bytes, paramsStart, end) : undefined,
        form: version2,
      };
    }
    const members = this.#envelope;
    clearMembers(members);
    setMember(members, jsonrpcMember, idStart - versionStart, idStart - versionEnd);
    setMember(members, idMember, idStart, idEnd);
    setMember(members, methodMember, methodStart, methodEnd);
    if (hasParams) setMember(members, paramsMember, paramsStart, end);
    const next = skipSpace(bytes, end);
    const byte = byteAt(bytes, next);
    if (byte === 0x7d) return this.#conclude(at, next + 1, levels, false);
    if (byte !== 0x2c) return undefined;
    const nth = hasParams ? 5 : 4;
    return this.#conclude(at, readMoreMembers(bytes, skipSpace(bytes, next + 1), levels, members, nth), levels, false);
  }

  /**
   * Makes the message at `at` from its members, which were read up to `end`. An `end` of -1 means that they are not
   * valid JSON.
   */
  #conclude(at: number, end: number, levels: number, takesVersion1: boolean): Call | InvalidMessage | undefined {
    if (end < 0) return undefined;
    const isAlone = levels === maxDepth;
    if (!this.#envelope.overfull) this.end = end;
    else if (isAlone) this.end = this.bytes.length;
    else this.end = this.knownEnds?.get(at) ?? skipRestOfObject(this.bytes, end, levels - 1);
    return this.end < 0 ? undefined : toMessage(this.bytes, this.#envelope, takesVersion1);
  }
}

/** Whether an array or object begins with this byte. */
function opensParams(byte: number): boolean {
  return byte === 0x5b || byte === 0x7b;
}

/** The index after an id in a common form: a string, or a whole number without a sign. -1 for all other values. */
function skipCommonId(bytes: Uint8Array, at: number): number {
  const first = byteAt(bytes, at);
  if (first === 0x22) return skipString(bytes, at);
  const end = skipDigits(bytes, at);
  return first === 0x30 && end > at + 1 ? -1 : end;
}

/** Validates the members that were just read. */
function toMessage(bytes: Uint8Array, members: Members, takesVersion1: boolean): Call | InvalidMessage {
  const idStart = members.spans[2 * idMember] ?? -1;
  const idIsReadable = idStart < 0 || ((members.repeated >> idMember) & 1) === 0;
  const idIsTooLong = (members.spans[2 * idMember + 1] ?? 0) - idStart > maxIdBytes;
  const id = idIsReadable && !idIsTooLong && isId(bytes, idStart) ? rawMember(bytes, members, idMember) : noId;
  const isOf2 = isVersion(bytes, members, '"2.0"');
  const form = isOf2 || !takesVersion1 ? version2 : version1;
  if (members.problem !== undefined) return invalid(id, members.problem, form);
  if (!isId(bytes, idStart)) return invalid(id, 'id must be a number, a string or null', form);
  if (idIsTooLong) return invalid(id, idTooLong, form);
  if (!isOf2 && !(takesVersion1 && isVersion1(bytes, members)))
    return invalid(id, takesVersion1 ? notEither : notVersion2, form);
  const methodStart = members.spans[2 * methodMember] ?? -1;
  if (methodStart < 0 || byteAt(bytes, methodStart) !== 0x22) return invalid(id, 'method must be a string', form);
  const paramsStart = members.spans[2 * paramsMember] ?? -1;
  const byte = paramsStart < 0 ? 0x6e : byteAt(bytes, paramsStart);
  if (!opensParams(byte) && byte !== 0x6e) return invalid(id, 'params must be an array or an object', form);
  return {
    kind: 'call',
    // Version 1 in Bitcoin Core has no notifications.
    id: form === version1 ? (id ?? noId) : id,
    method: methodName(bytes, methodStart, members.spans[2 * methodMember + 1] ?? 0),
    params: byte === 0x6e ? undefined : rawMember(bytes, members, paramsMember),
    form,
  };
}

function invalid(id: JsonText | undefined, detail: string, form: AnswerForm): InvalidMessage {
  return { kind: 'invalid', id: id ?? noId, detail, form };
}

const notVersion2 = 'jsonrpc must be the string "2.0"';
const notEither = 'jsonrpc must be the string "2.0" or "1.0", or left out';

/** Whether a valid value at `start` may be an id: a string, a number or null. A missing id (-1) is valid, too. */
function isId(bytes: Uint8Array, start: number): boolean {
  if (start < 0) return true;
  const byte = byteAt(bytes, start);
  return byte === 0x22 || byte === 0x2d || byte === 0x6e || (byte >= 0x30 && byte <= 0x39);
}

/** The longest spelling escapes each character. */
const maxVersionLength = '"\\u0032\\u002e\\u0030"'.length;

/** `version`: the canonical spelling. */
function isVersion(bytes: Uint8Array, members: Members, version: '"1.0"' | '"2.0"'): boolean {
  if (isMember(bytes, members, jsonrpcMember, version)) return true;
  const raw = rawMember(bytes, members, jsonrpcMember);
  return (
    raw !== undefined &&
    raw.length <= maxVersionLength &&
    byteAt(bytes, raw.start) === 0x22 &&
    decodeString(raw.text()) === version.slice(1, -1)
  );
}

/** Version 1 had no member `jsonrpc`, so a missing version counts as `1.0`. */
function isVersion1(bytes: Uint8Array, members: Members): boolean {
  const start = members.spans[2 * jsonrpcMember] ?? -1;
  return start < 0 || byteAt(bytes, start) === 0x6e || isVersion(bytes, members, '"1.0"');
}
