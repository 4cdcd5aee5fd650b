/** A node's JSON-RPC error as its caller sees it: unchanged, except that the node's secrets are removed and long errors are shortened. */

import { createMembers, rawMember, readMembers } from '@flowgate/json/json-members';
import { maxAnswerDepth } from '@flowgate/json/json-scan';
import type { JsonText } from '../upstream/port/node-port.ts';

/** In bytes: far more than revert data of contracts. Text that a caller makes a node repeat is searched only up to here. */
export const maxErrorLength = 262_144;
/** Of a call that must not be repeated: its answer is sent whether there is room or not, and is small together with the longest id. */
const maxOnceErrorLength = 49_152;
const maxMessageLength = 1_024;

const memberNames = ['code', 'message'];

/**
 * `error` is the raw JSON text of a valid error object. An error for many calls is repeated for each, and the copies share the room: an error longer than its share of
 * `maxErrorLength` bytes is reduced to its code and the beginning of its message.
 */
export function shownError(error: JsonText, hideSecrets: (json: string) => string, times = 1): string {
  return hideSecrets(error.length <= maxErrorLength / times ? error.text() : reduced(error));
}

/** As `shownError`, for a call that must not be repeated. */
export function shownOnceError(error: JsonText, hideSecrets: (json: string) => string): string {
  return shownError(error, hideSecrets, maxErrorLength / maxOnceErrorLength);
}

function reduced({ bytes, start }: JsonText): string {
  const members = createMembers(memberNames);
  readMembers(bytes, start, maxAnswerDepth, members);
  const code = rawMember(bytes, members, 0)?.text() ?? '';
  const message = rawMember(bytes, members, 1)?.text() ?? '""';
  return `{"code":${code.length > 20 ? '-32603' : code},"message":${beginningOf(message)}}`;
}

/** The beginning of a raw JSON string, never cut within an escape. */
function beginningOf(raw: string): string {
  if (raw.length <= maxMessageLength) return raw;
  let end = 1;
  while (end < maxMessageLength) end += raw[end] !== '\\' ? 1 : raw[end + 1] === 'u' ? 6 : 2;
  return `${raw.slice(0, end)}…"`;
}
