/** Classifies JSON-RPC errors of nodes: a read whose error is about the node goes to another node (contract/retries#errors). Nodes use codes differently, so the message decides first (`error-phrases`). Unknown errors are about the call. */

import { createMembers, rawMember, readMembers } from '@flowgate/json/json-members';
import { maxAnswerDepth } from '@flowgate/json/json-scan';
import type { ErrorFault } from '../port/node-faults.ts';
import type { JsonText } from '../port/node-port.ts';
import {
  errorRows,
  hasPhrase,
  methodIsOff,
  notByRange,
  ofTheCall,
  type Phrase,
  prunedChangesets,
} from './error-phrases.ts';

/** Bytes of an error that are searched for code and message. Longer errors have long `data`, mostly of a revert. */
const maxReadLength = 4_096;
/** In characters. */
const maxMessageLength = 512;

/** Codes for wrong requests: those of JSON-RPC, and those of Bitcoin Core for types, addresses, parameters and transactions. Providers also report limits under them. Their messages may quote the caller, so they must not count against a node. */
const wrongRequest: ReadonlySet<number> = new Set([-32602, -32600, -32700, -3, -5, -8, -22, -25, -26]);
const aboutData: ReadonlySet<ErrorFault> = new Set(['too-much', 'no-state', 'unknown-block']);
const methodNotFound = -32601;
/** Execution reverted, in the EVM family. */
const reverted = 3;

const memberNames = ['code', 'message'];

export type ErrorFacts = {
  readonly code: number;
  /** In lower case; cut after 512 characters. */
  readonly message: string;
};

/** Code and message of a valid error object; undefined if its first bytes do not contain them. Takes bounded time, regardless of the length of `data`. */
export function errorFacts({ bytes, start, end }: JsonText): ErrorFacts | undefined {
  const isShort = end - start <= maxReadLength;
  const head = isShort ? undefined : headOf(bytes, start);
  if (head !== undefined) return head;
  const members = createMembers(memberNames);
  if (!isShort || readMembers(bytes, start, maxAnswerDepth, members) < 0) return undefined;
  const message = rawMember(bytes, members, 1)?.text().slice(1, -1) ?? '';
  return { code: Number(rawMember(bytes, members, 0)?.text()), message: lowered(message) };
}

const headPattern = /^\{\s{0,8}"code"\s{0,8}:\s{0,8}(-?\d{1,10})\s{0,8},\s{0,8}"message"\s{0,8}:\s{0,8}"/;

/** Parses a long error. All known servers write `data` last. */
function headOf(bytes: Uint8Array, start: number): ErrorFacts | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset + start, maxReadLength).toString('latin1');
  const found = headPattern.exec(head);
  if (found === null) return undefined;
  const from = found[0].length;
  const quote = head.indexOf('"', from);
  return { code: Number(found[1]), message: lowered(head.slice(from, quote < 0 ? undefined : quote)) };
}

function lowered(message: string): string {
  return message.slice(0, maxMessageLength).toLowerCase();
}

/** The row of a JSON-RPC error in the table of failures; undefined if the error is about the call. */
export function errorFault(raw: JsonText): ErrorFault | undefined {
  const facts = errorFacts(raw);
  if (facts === undefined || facts.code === reverted) return undefined;
  const { code, message } = facts;
  // The message contains the method's name, which the caller chooses.
  if (code === methodNotFound) return 'no-method';
  if (prunedChangesets.test(message)) return 'no-state';
  if (says(message, ofTheCall)) return undefined;
  if (says(message, methodIsOff)) return 'no-method';
  const byText = errorRows.find(({ phrases }) => says(message, phrases))?.fault;
  if (!wrongRequest.has(code)) return byText ?? errorRows.find(({ codes }) => codes.includes(code))?.fault;
  if (byText === 'limited') return 'too-much';
  return byText !== undefined && aboutData.has(byText) ? byText : undefined;
}

/** Whether a node may have refused a call because of its number of blocks. `yes`: the message says so. `no`: it is about the call, or about a limit that fewer blocks do not avoid. `maybe`: unknown messages and limits in a provider's own words. */
export function refusesRange(raw: JsonText): 'yes' | 'no' | 'maybe' {
  const message = errorFacts(raw)?.message ?? '';
  if (says(message, ofTheCall) || says(message, notByRange)) return 'no';
  return errorFault(raw) === 'too-much' ? 'yes' : 'maybe';
}

function says(message: string, phrases: readonly Phrase[]): boolean {
  return phrases.some((phrase) => hasPhrase(message, phrase));
}
