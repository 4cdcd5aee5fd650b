/** A node's JSON-RPC error as its caller sees it: unchanged, except that the node's secrets are removed and long errors are shortened. */

import { createMembers, rawMember, readMembers } from '../platform/json/json-members.ts';
import { maxAnswerDepth } from '../platform/json/json-scan.ts';

/** In characters: far more than revert data of contracts. Text that a caller makes a node repeat is searched only up to here. */
export const longestError = 262_144;
const longestMessage = 1_024;

const members = createMembers(['code', 'message']);

/**
 * `error` is the raw JSON text of a valid error object. An error for many calls is repeated for each, and the copies share the room: an error longer than its share of
 * `longestError` characters is reduced to its code and the beginning of its message.
 */
export function shownError(error: string, hideSecrets: (json: string) => string, times = 1): string {
  return hideSecrets(error.length <= longestError / times ? error : reduced(error));
}

function reduced(error: string): string {
  readMembers(error, 0, maxAnswerDepth, members);
  const code = rawMember(error, members, 0) ?? '';
  return `{"code":${code.length > 20 ? '-32603' : code},"message":${beginningOf(rawMember(error, members, 1) ?? '""')}}`;
}

/** The beginning of a raw JSON string, never cut within an escape. */
function beginningOf(raw: string): string {
  if (raw.length <= longestMessage) return raw;
  let end = 1;
  while (end < longestMessage) end += raw[end] !== '\\' ? 1 : raw[end + 1] === 'u' ? 6 : 2;
  return `${raw.slice(0, end)}…"`;
}
