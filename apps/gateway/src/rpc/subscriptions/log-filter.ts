/**
 * The filter of a subscription to logs: reads it from the parameters as nodes do, and matches logs with it
 * (contract/subscriptions#filters).
 */

/** The parts of a log that a filter compares. Hexadecimal digits are in lower case. */
export type FilteredLog = {
  readonly address: string;
  readonly topics: readonly string[];
  readonly blockNumber: number;
};

export type LogFilter = {
  /** Undefined: any address. */
  readonly addresses: ReadonlySet<string> | undefined;
  /** For each position: the allowed topics, or undefined for any topic. A log with fewer topics does not match. */
  readonly topics: readonly (ReadonlySet<string> | undefined)[];
  /** Block heights, both inclusive. */
  readonly from: number;
  readonly to: number;
  /** The number of addresses and topics plus 1, as a measure of memory. */
  readonly weight: number;
  /** Equal for equal filters. */
  readonly key: string;
};

/** The same limits as Geth. */
export const maxAddresses = 1_000;
export const maxAlternatives = 1_000;
const maxTopics = 4;
const members = ['address', 'topics', 'fromBlock', 'toBlock', 'blockHash'];
const addressForm = /^0[xX][0-9a-fA-F]{40}$/;
const topicForm = /^0[xX][0-9a-fA-F]{64}$/;
const quantityForm = /^0[xX](?:0|[1-9a-fA-F][0-9a-fA-F]{0,12})$/;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a filter, or a text that describes the problem and quotes nothing that the caller sent. */
export function readLogFilter(given: unknown): LogFilter | string {
  if (!isRecord(given)) return 'the filter of logs must be an object';
  for (const name of Object.keys(given))
    if (!members.includes(name) && members.some((each) => each.toLowerCase() === name.toLowerCase()))
      return 'a member of the filter differs from a known one in letter case only';
  const { address, topics, fromBlock, toBlock, blockHash } = given;
  if (blockHash !== undefined && blockHash !== null) return 'blockHash cannot filter future logs';
  const addresses = readAddresses(address);
  if (typeof addresses === 'string') return addresses;
  const positions = readTopics(topics);
  if (typeof positions === 'string') return positions;
  const range = readRange(fromBlock, toBlock);
  return typeof range === 'string' ? range : filterOf(addresses, positions, range);
}

export function matchesFilter({ addresses, topics, from, to }: LogFilter, log: FilteredLog): boolean {
  if (addresses !== undefined && !addresses.has(log.address)) return false;
  if (topics.length > log.topics.length || log.blockNumber < from || log.blockNumber > to) return false;
  for (const [at, wanted] of topics.entries())
    if (wanted !== undefined && !wanted.has(log.topics[at] ?? '')) return false;
  return true;
}

type Range = { readonly from: number; readonly to: number };

function filterOf(
  addresses: ReadonlySet<string> | undefined,
  topics: readonly (ReadonlySet<string> | undefined)[],
  { from, to }: Range,
): LogFilter {
  const sorted = [addresses, ...topics].map((each) => (each === undefined ? null : [...each].sort()));
  const weight = sorted.reduce((sum, each) => sum + (each?.length ?? 0), 1);
  return { addresses, topics, from, to, weight, key: JSON.stringify([sorted, from, String(to)]) };
}

/** A missing address, null and an empty list match any address. */
function readAddresses(given: unknown): ReadonlySet<string> | undefined | string {
  if (given === undefined || given === null) return undefined;
  const listed: readonly unknown[] = Array.isArray(given) ? given : [given];
  if (listed.length > maxAddresses) return `a filter has at most ${maxAddresses} addresses`;
  if (!listed.every((each) => isHex(each, addressForm))) return 'an address must be 0x and 40 hexadecimal digits';
  return listed.length === 0 ? undefined : lowered(listed);
}

function readTopics(given: unknown): readonly (ReadonlySet<string> | undefined)[] | string {
  if (given === undefined || given === null) return [];
  if (!Array.isArray(given)) return 'topics must be an array';
  if (given.length > maxTopics) return `a filter has at most ${maxTopics} topics`;
  const positions: (ReadonlySet<string> | undefined)[] = [];
  for (const each of given) {
    const listed: readonly unknown[] = Array.isArray(each) ? each : [each];
    if (listed.length > maxAlternatives) return `a topic has at most ${maxAlternatives} alternatives`;
    if (!listed.every((one) => one === null || isHex(one, topicForm)))
      return 'a topic must be null, 0x and 64 hexadecimal digits, or a list of these';
    // One null among the alternatives means any topic.
    positions.push(listed.length === 0 || listed.includes(null) ? undefined : lowered(listed));
  }
  return positions;
}

/** The same ranges as Geth: all new blocks, blocks from a height, or blocks between two heights. */
function readRange(fromBlock: unknown, toBlock: unknown): Range | string {
  const from = heightOf(fromBlock);
  const to = heightOf(toBlock);
  const problem = 'fromBlock and toBlock must be heights, or latest';
  if (from === undefined || to === undefined) return problem;
  if (from === 'latest') return to === 'latest' ? { from: 0, to: Number.POSITIVE_INFINITY } : problem;
  if (to === 'latest') return { from, to: Number.POSITIVE_INFINITY };
  return from <= to ? { from, to } : 'fromBlock is after toBlock';
}

function heightOf(given: unknown): number | 'latest' | undefined {
  if (given === undefined || given === null || given === '' || given === 'latest') return 'latest';
  if (given === 'earliest') return 0;
  return isHex(given, quantityForm) ? Number(given) : undefined;
}

function isHex(value: unknown, form: RegExp): value is string {
  return typeof value === 'string' && form.test(value);
}

function lowered(values: readonly unknown[]): ReadonlySet<string> {
  return new Set(values.map((each) => String(each).toLowerCase()));
}
