/** A node's JSON-RPC error as its caller sees it: as it came, but without the node's secrets, and without what no error needs. */

import { createMembers, rawMember, readMembers } from '../platform/json/json-members.ts';
import { maxAnswerDepth } from '../platform/json/json-scan.ts';

/** Far above what a contract's revert data come to; what a caller makes a node repeat is searched up to here and no further. */
export const longestError = 262_144;
const longestMessage = 1_024;

const members = createMembers(['code', 'message']);

/**
 * `error` is the raw JSON text of a valid error object. One for many calls is there as many times, and shares the room: what is longer than its
 * share of `longestError` characters is reduced to its code and the beginning of its message.
 */
export function shownError(error: string, hideSecrets: (json: string) => string, times = 1): string {
  return hideSecrets(error.length <= longestError / times ? error : reduced(error));
}

function reduced(error: string): string {
  readMembers(error, 0, maxAnswerDepth, members);
  const code = rawMember(error, members, 0) ?? '';
  return `{"code":${code.length > 20 ? '-32603' : code},"message":${beginningOf(rawMember(error, members, 1) ?? '""')}}`;
}

/** Of a raw JSON string; no escape is cut. */
function beginningOf(raw: string): string {
  if (raw.length <= longestMessage) return raw;
  let end = 1;
  while (end < longestMessage) end += raw[end] !== '\\' ? 1 : raw[end + 1] === 'u' ? 6 : 2;
  return `${raw.slice(0, end)}…"`;
}
