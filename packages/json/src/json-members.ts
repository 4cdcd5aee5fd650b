/**
 * Finds the members of one JSON object by name, strictly: detects duplicates and look-alikes of the known names, and
 * builds no value.
 */

import { ByteRange } from '@flowgate/bytes/byte-range';
import { byteAt, type KnownEnds, skipColon, skipRestOfObject, skipSpace, skipString, skipValue } from './json-scan.ts';

/** More members in one envelope are refused, so that the detection of duplicates stays cheap for any input. */
export const maxMembers = 64;
/** A longer raw name cannot be a spelling of a known name, with any escapes and letter case: it is not decoded. */
const maxDecodedNameLength = 128;

/** The result of one reading. It belongs to its reader, and its next `readMembers` overwrites it. */
export type Members = {
  readonly names: readonly string[];
  readonly knownEnds: KnownEnds | undefined;
  /** The value of name k begins at 2k (-1 when absent) and ends at 2k + 1, as indexes of bytes. */
  readonly spans: Int32Array;
  /** Bit k is set when name k occurs more than once. */
  repeated: number;
  /** Why the object is ambiguous: a duplicate, a look-alike, too many members. */
  problem: string | undefined;
  /** There are more than `maxMembers` members: reading stopped. */
  overfull: boolean;
};

export function createMembers(names: readonly string[], knownEnds?: KnownEnds): Members {
  const spans = new Int32Array(names.length * 2).fill(-1);
  return { names, knownEnds, spans, repeated: 0, problem: undefined, overfull: false };
}

/** The raw JSON text of name k's value, undefined when absent. */
export function rawMember(bytes: Uint8Array, members: Members, k: number): ByteRange | undefined {
  const start = members.spans[2 * k] ?? -1;
  return start < 0 ? undefined : new ByteRange(bytes, start, members.spans[2 * k + 1] ?? start);
}

/** Whether name k's value is written exactly as `literal`, in ASCII. False when absent. */
export function isMember(bytes: Uint8Array, members: Members, k: number, literal: string): boolean {
  const start = members.spans[2 * k] ?? -1;
  if (start < 0 || (members.spans[2 * k + 1] ?? 0) - start !== literal.length) return false;
  for (let at = 0; at < literal.length; at++) if (bytes[start + at] !== literal.charCodeAt(at)) return false;
  return true;
}

/** Decodes the raw text of a valid JSON string. */
export function decodeString(raw: string): string {
  if (!raw.includes('\\')) return raw.slice(1, -1);
  const decoded: unknown = JSON.parse(raw);
  return String(decoded);
}

/**
 * Reads the object whose `{` is at `at`, and returns the index after it, or -1 when it is not valid JSON. It may nest `levels` deep. A problem does not stop the
 * reading: the rest must be JSON, and may contain the id. Members after the first `maxMembers` are skipped without being examined.
 */
export function readMembers(bytes: Uint8Array, at: number, levels: number, members: Members): number {
  const end = readFirstMembers(bytes, at, levels, members);
  return members.overfull ? skipRestOfObject(bytes, end, levels - 1) : end;
}

/** Like `readMembers`, but stops when there are too many members (`overfull`), which is enough for a refusal. */
export function readFirstMembers(bytes: Uint8Array, at: number, levels: number, members: Members): number {
  clearMembers(members);
  const first = skipSpace(bytes, at + 1);
  return byteAt(bytes, first) === 0x7d ? first + 1 : readMoreMembers(bytes, first, levels, members, 1);
}

/** Continues with `readFirstMembers` at the name of the `nth` member. */
export function readMoreMembers(bytes: Uint8Array, at: number, levels: number, members: Members, nth: number): number {
  let others: Set<string> | undefined;
  let i = at;
  // The names are usually in their order.
  let expected = 0;
  for (let count = nth; ; count++) {
    const k = knownName(bytes, i, members.names, expected);
    // A known name has a known length: it is not scanned a second time.
    const nameEnd = k >= 0 ? i + (members.names[k] ?? '').length + 2 : skipString(bytes, i);
    const start = nameEnd < 0 ? -1 : skipColon(bytes, nameEnd);
    if (start < 0) return -1;
    if (count > maxMembers) {
      members.problem = `more than ${maxMembers} members`;
      members.overfull = true;
      return start;
    }
    const end = members.knownEnds?.get(start) ?? skipValue(bytes, start, levels - 1);
    if (end < 0) return -1;
    expected = k + 1;
    if (k >= 0) setMember(members, k, start, end);
    else others = noteMember(new ByteRange(bytes, i, nameEnd).text(), start, end, members, others);
    i = skipSpace(bytes, end);
    const byte = byteAt(bytes, i);
    if (byte === 0x7d) return i + 1;
    if (byte !== 0x2c) return -1;
    i = skipSpace(bytes, i + 1);
  }
}

/** Records one member by the raw text of its name. `others` are the unknown names so far; returns them with this one added. */
export function noteMember(
  raw: string,
  start: number,
  end: number,
  members: Members,
  others: Set<string> | undefined,
): Set<string> | undefined {
  const name = noteEscaped(raw, start, end, members);
  return name === undefined || members.problem !== undefined ? others : noteOther(name, members, others);
}

/** To be called before the first member of another object. */
export function clearMembers(members: Members): void {
  // A loop: a call to the runtime costs more for so few elements.
  for (let at = 0; at < members.spans.length; at++) members.spans[at] = -1;
  members.repeated = 0;
  members.problem = undefined;
  members.overfull = false;
}

/** Records the value of name k. */
export function setMember(members: Members, k: number, start: number, end: number): void {
  if ((members.spans[2 * k] ?? -1) >= 0) {
    members.repeated |= 1 << k;
    members.problem ??= `duplicate member "${members.names[k]}"`;
  }
  members.spans[2 * k] = start;
  members.spans[2 * k + 1] = end;
}

/**
 * The index of the known name in quotes, without escapes, at `at`; -1 when there is none. The `expected` one is tried
 * first.
 */
function knownName(bytes: Uint8Array, at: number, names: readonly string[], expected: number): number {
  if (byteAt(bytes, at) !== 0x22) return -1;
  if (expected < names.length && isNameAt(bytes, at + 1, names[expected] ?? '')) return expected;
  for (let k = 0; k < names.length; k++) if (k !== expected && isNameAt(bytes, at + 1, names[k] ?? '')) return k;
  return -1;
}

function isNameAt(bytes: Uint8Array, at: number, name: string): boolean {
  let n = 0;
  while (n < name.length && byteAt(bytes, at + n) === name.charCodeAt(n)) n++;
  return n === name.length && byteAt(bytes, at + n) === 0x22;
}

/**
 * Finds known names written with escapes. Returns the other names; very long ones are distinguished by their spelling.
 */
function noteEscaped(raw: string, start: number, end: number, members: Members): string | undefined {
  if (raw.length > maxDecodedNameLength) return raw;
  const name = decodeString(raw);
  const k = members.names.indexOf(name);
  if (k < 0) return name;
  setMember(members, k, start, end);
  return undefined;
}

function noteOther(name: string, members: Members, others: Set<string> | undefined): Set<string> {
  const seen = others ?? new Set<string>();
  if (seen.has(name)) members.problem = 'duplicate member';
  // Converts to upper case first: the long s and the dotless i then become s and i, as in Go's JSON decoder.
  else if (name.length < 16 && members.names.includes(name.toUpperCase().toLowerCase())) {
    members.problem = `a member's name differs from "${name.toUpperCase().toLowerCase()}" in case only`;
  }
  return seen.add(name);
}
