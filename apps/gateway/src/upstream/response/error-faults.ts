/**
 * JSON-RPC errors of nodes and providers: which of them speak of the node and not of the call, so that a read goes elsewhere (contract/retries#errors). Codes are used in
 * different ways by different nodes, so that the message decides first (`error-phrases`); what no row knows is the node's word about the call.
 */

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

/** Bytes of an error in which its code and message are looked for. Longer errors have long `data`, mostly of a revert. */
const maxReadLength = 4_096;
/** Of the message, in characters. */
const maxMessageLength = 512;

/** JSON-RPC's own codes for a request that is wrong, and those of Bitcoin Core for types, addresses, parameters and transactions, which quote them. Providers tell limits under them, too; but a caller's own words may stand in these errors, and must not count against a node. */
const wrongRequest: ReadonlySet<number> = new Set([-32602, -32600, -32700, -3, -5, -8, -22, -25, -26]);
const aboutData: ReadonlySet<ErrorFault> = new Set(['too-much', 'no-state', 'unknown-block']);
const methodNotFound = -32601;
/** Execution reverted: of nodes of the EVM family. */
const reverted = 3;

const memberNames = ['code', 'message'];

export type ErrorFacts = {
  readonly code: number;
  /** In lower case, at most its beginning. */
  readonly message: string;
};

/** What a valid error object says; undefined when its beginning does not tell. Takes a bounded time, however long `data` is. */
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

/** Of a long error, whose `data` comes last: as every server writes it that we know of. */
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

/** The row of a node's JSON-RPC error in the table of failures; undefined when it speaks of the call. */
export function errorFault(raw: JsonText): ErrorFault | undefined {
  const facts = errorFacts(raw);
  if (facts === undefined || facts.code === reverted) return undefined;
  const { code, message } = facts;
  // The method's name, which a caller chooses, stands in the message.
  if (code === methodNotFound) return 'no-method';
  if (prunedChangesets.test(message)) return 'no-state';
  if (says(message, ofTheCall)) return undefined;
  if (says(message, methodIsOff)) return 'no-method';
  const byText = errorRows.find(({ phrases }) => says(message, phrases))?.fault;
  if (!wrongRequest.has(code)) return byText ?? errorRows.find(({ codes }) => codes.includes(code))?.fault;
  if (byText === 'limited') return 'too-much';
  return byText !== undefined && aboutData.has(byText) ? byText : undefined;
}

/**
 * Whether a node may have refused a question for the number of its blocks. `yes`: its words say so. `no`: they speak of the call, or of a limit that fewer blocks would not help against. `maybe`: whatever
 * no row knows, and limits in words of a provider's own.
 */
export function refusesRange(raw: JsonText): 'yes' | 'no' | 'maybe' {
  const message = errorFacts(raw)?.message ?? '';
  if (says(message, ofTheCall) || says(message, notByRange)) return 'no';
  return errorFault(raw) === 'too-much' ? 'yes' : 'maybe';
}

function says(message: string, phrases: readonly Phrase[]): boolean {
  return phrases.some((phrase) => hasPhrase(message, phrase));
}
