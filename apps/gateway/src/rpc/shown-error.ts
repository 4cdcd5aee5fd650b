/**
 * A node's JSON-RPC error as the caller receives it: unchanged, except that the node's secrets are removed and long
 * errors are shortened.
 */

import { createMembers, rawMember, readMembers } from '@flowgate/json/json-members';
import { maxAnswerDepth } from '@flowgate/json/json-scan';
import type { JsonText } from '../upstream/port/node-port.ts';

/**
 * In bytes: far more than the revert data of contracts. It bounds the search for secrets in text that a caller makes a
 * node repeat.
 */
export const maxErrorLength = 262_144;
/**
 * In bytes, for a call that must not be repeated. Its answer is sent even without free memory in the budget, so it is
 * small even with the longest id.
 */
const maxOnceErrorLength = 49_152;
const maxMessageLength = 1_024;

const memberNames = ['code', 'message'];

/**
 * `error`: the raw JSON text of a valid error object. `times`: the number of calls that get a copy of the error; the
 * copies share `maxErrorLength` bytes. An error longer than its share is reduced to its code and the beginning of its
 * message.
 */
export function shownError(error: JsonText, hideSecrets: (json: string) => string, times = 1): string {
  return hideSecrets(error.length <= maxErrorLength / times ? error.text() : reduced(error));
}

/** The same as `shownError`, for a call that must not be repeated. */
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

/** The beginning of a raw JSON string. The cut is never within an escape. */
function beginningOf(raw: string): string {
  if (raw.length <= maxMessageLength) return raw;
  let end = 1;
  while (end < maxMessageLength) end += raw[end] !== '\\' ? 1 : raw[end + 1] === 'u' ? 6 : 2;
  return `${raw.slice(0, end)}…"`;
}
