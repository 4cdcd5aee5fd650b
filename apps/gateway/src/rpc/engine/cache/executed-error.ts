/** Whether an error says that a call was executed and reverted: any node says the same of the same block. */

import { createMembers, isMember, rawMember, readMembers } from '@flowgate/json/json-members';
import { maxAnswerDepth } from '@flowgate/json/json-scan';
import type { JsonText } from '../../../upstream/port/node-port.ts';

const memberNames = ['code', 'message'];
/** Of Geth and most others, and of Parity's descendants. */
const codes = ['3', '-32015'];
/** Under -32000, which has other meanings, too. */
const revertMessage = /^"(?:execution|vm execution error:? ?|transaction) ?revert/i;
const longestMessage = 128;

export function isExecutedError({ bytes, start }: JsonText): boolean {
  const members = createMembers(memberNames);
  if (readMembers(bytes, start, maxAnswerDepth, members) < 0 || members.problem !== undefined) return false;
  if (codes.some((code) => isMember(bytes, members, 0, code))) return true;
  const message = rawMember(bytes, members, 1);
  if (message === undefined || !isMember(bytes, members, 0, '-32000')) return false;
  const end = Math.min(message.end, message.start + longestMessage);
  return revertMessage.test(
    Buffer.from(bytes.buffer, bytes.byteOffset + message.start, end - message.start).toString('latin1'),
  );
}
