/** Reads the logs of one block from the answer to `eth_getLogs`. The bytes of each log stay as the node sent them. */

import { closeBracket, comma, openBracket } from '@flowgate/json/json-scan';
import { eachMember, endOfValue, skipBlank } from '@flowgate/json/valid-json';
import type { JsonText } from '../../upstream/port/node-port.ts';
import type { FilteredLog } from './log-filter.ts';

export type BlockLog = FilteredLog & {
  /** The position of the log's JSON in the answer. */
  readonly start: number;
  readonly end: number;
  /** The position of the value of `removed`; -1 when the log has no such member. */
  readonly removedAt: number;
  readonly removedEnd: number;
  readonly logIndex: number;
};

export type BlockLogs = { readonly bytes: Uint8Array; readonly logs: readonly BlockLog[] };

type Place = { readonly number: number; readonly hash: string };
/** The members of one log that were read so far. */
type Draft = { -readonly [Name in keyof BlockLog]: BlockLog[Name] } & { blockHash: string };

/** The number of logs that are read before the event loop gets a turn. */
const atOnce = 32;
const maxTopics = 4;
const { latin1Slice } = Buffer.prototype;

/**
 * Returns the logs in the order of their index. Undefined when the answer is not a list of logs of this block, or
 * contains a log twice. `text`: valid JSON, whose bytes the result retains. Yields regularly so that the event loop
 * gets turns.
 */
export function* readBlockLogs(text: JsonText, block: Place): Generator<undefined, BlockLogs | undefined> {
  const { bytes, end } = text;
  const logs: BlockLog[] = [];
  const indexes = new Set<number>();
  let at = skipBlank(bytes, text.start, end);
  if (bytes[at] !== openBracket) return undefined;
  at = skipBlank(bytes, at + 1, end);
  if (bytes[at] === closeBracket) return { bytes, logs };
  for (let nth = 1; ; nth++) {
    const logEnd = endOfValue(bytes, at, end);
    const log = readLog(bytes, at, logEnd, block);
    if (log === undefined || indexes.has(log.logIndex)) return undefined;
    indexes.add(log.logIndex);
    logs.push(log);
    at = skipBlank(bytes, logEnd, end);
    if (bytes[at] !== comma) break;
    at = skipBlank(bytes, at + 1, end);
    if (nth % atOnce === 0) yield undefined;
  }
  if (bytes[at] !== closeBracket) return undefined;
  return { bytes, logs: logs.sort((one, other) => one.logIndex - other.logIndex) };
}

function readLog(bytes: Uint8Array, start: number, end: number, { number, hash }: Place): BlockLog | undefined {
  const draft: Draft = {
    ...{ address: '', topics: [], blockNumber: number, start, end },
    ...{ removedAt: -1, removedEnd: -1, logIndex: -1, blockHash: '' },
  };
  const isRead = eachMember(bytes, start, end, (nameAt, nameEnd, valueAt, valueEnd) =>
    readMember(draft, bytes, latin1Slice.call(bytes, nameAt + 1, nameEnd - 1), valueAt, valueEnd),
  );
  const { address, blockHash, logIndex, removedAt } = draft;
  const isGone = removedAt >= 0 && bytes[removedAt] !== 0x66;
  const isWhole = isRead && address.length === 42 && blockHash === hash && Number.isSafeInteger(logIndex);
  return isWhole && logIndex >= 0 && !isGone ? draft : undefined;
}

/** False when the answer cannot be used. */
function readMember(draft: Draft, bytes: Uint8Array, name: string, valueAt: number, valueEnd: number): boolean {
  const text = () => latin1Slice.call(bytes, valueAt + 1, valueEnd - 1).toLowerCase();
  if (name === 'address') draft.address = text();
  else if (name === 'blockHash') draft.blockHash = text();
  else if (name === 'logIndex') draft.logIndex = Number(text());
  else if (name === 'topics') {
    const topics: unknown = JSON.parse(latin1Slice.call(bytes, valueAt, valueEnd));
    if (!Array.isArray(topics) || topics.length > maxTopics || !topics.every(isTopic)) return false;
    draft.topics = topics.map((topic) => topic.toLowerCase());
  } else if (name === 'removed') {
    draft.removedAt = valueAt;
    draft.removedEnd = valueEnd;
  }
  return true;
}

function isTopic(value: unknown): value is string {
  return typeof value === 'string' && value.length === 66;
}

/**
 * The log as a notification's result, with the same bytes. It is a copy, because a slow reader would otherwise retain
 * the whole answer in memory.
 */
export function presentLog(bytes: Uint8Array, { start, end }: BlockLog): Uint8Array {
  return Buffer.from(bytes.subarray(start, end));
}

/** The log as nodes report it after its block was removed from the chain: `removed` is true. */
export function removedLog(bytes: Uint8Array, { start, end, removedAt, removedEnd }: BlockLog): Uint8Array {
  const [before, after, value] =
    removedAt < 0 ? [end - 1, end - 1, ',"removed":true'] : [removedAt, removedEnd, 'true'];
  return Buffer.concat([bytes.subarray(start, before), Buffer.from(value), bytes.subarray(after, end)]);
}
