/** Reads from the chain what happened to an EIP-3009 authorization when the facilitator does not know. */

import { isJsonObject, type JsonObject } from '@flowgate/json/json-object';
import type { LedgerAccess, LedgerRead } from './ledger-access.ts';
import { caip2Of } from './payment-network.ts';
import type { PaymentRecord } from './payment-store.ts';

export type ChainFinding =
  /** The authorization was executed, for the requested amount and payee. */
  | { readonly kind: 'executed'; readonly transaction: string }
  /** It was not executed, and cannot be any more. */
  | { readonly kind: 'impossible' }
  /** It was not executed, but still may be. */
  | { readonly kind: 'unused' }
  /** Its nonce is used, but it is unknown for what. */
  | { readonly kind: 'used' }
  | { readonly kind: 'unknown' };

export type AskChain = (payment: Omit<PaymentRecord, 'status' | 'holder'>) => Promise<ChainFinding>;

/** keccak-256 of `AuthorizationUsed(address,bytes32)`, `AuthorizationCanceled(address,bytes32)` and `Transfer(address,address,uint256)`. */
const usedTopic = '0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5';
const canceledTopic = '0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81';
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** The selector of `authorizationState(address,bytes32)`. */
const stateSelector = '0xe94a0102';

/** The newest blocks may be reorganized, so an authorization counts as expired only after this margin. */
const marginSeconds = 60;
/** Nodes limit the range of a query. Usually the query follows the settlement within seconds. */
const blocksAtOnce = 2_000;
const queriesAtMost = 20;

export function createAskChain(ledger: LedgerAccess): AskChain {
  return async (payment) => {
    const read = ledger(caip2Of(payment.requirement.network));
    if (read === undefined || payment.terms === undefined) return { kind: 'unknown' };
    const head = headOf(await read('eth_getBlockByNumber', ['latest', false]));
    if (head === undefined) return { kind: 'unknown' };
    const used = await isUsed(read, payment, head.number);
    if (used === undefined) return { kind: 'unknown' };
    const isOver = head.timestamp >= BigInt(payment.terms.validBefore) + BigInt(marginSeconds);
    if (!used) return { kind: isOver ? 'impossible' : 'unused' };
    const log = await usingLog(read, payment, head.number);
    if (log === undefined) return { kind: 'used' };
    if (log.topic === canceledTopic) return { kind: isOver ? 'impossible' : 'used' };
    const isPaid = paysAsAsked(await read('eth_getTransactionReceipt', [log.transaction]), payment);
    return isPaid ? { kind: 'executed', transaction: log.transaction } : { kind: 'used' };
  };
}

type Asked = Parameters<AskChain>[0];

async function isUsed(read: LedgerRead, { requirement, terms }: Asked, block: bigint): Promise<boolean | undefined> {
  const data = `${stateSelector}${wordOf(terms?.payer).slice(2)}${wordOf(terms?.nonce).slice(2)}`;
  const answer = await read('eth_call', [{ to: requirement.asset, data }, quantityOf(block)]);
  const number = typeof answer === 'string' && answer.length === 66 ? numberOf(answer) : undefined;
  return number === undefined ? undefined : number !== 0n;
}

/** The token's log that shows how the nonce was used. */
async function usingLog(read: LedgerRead, { requirement, terms, fromBlock }: Asked, head: bigint) {
  const topics = [[usedTopic, canceledTopic], wordOf(terms?.payer), wordOf(terms?.nonce)];
  const reach = BigInt(blocksAtOnce * queriesAtMost);
  const earliest = head > reach ? head - reach : 0n;
  let from = fromBlock === undefined ? earliest : BigInt(fromBlock);
  for (let queries = 0; queries < queriesAtMost && from <= head; queries += 1) {
    const to = from + BigInt(blocksAtOnce - 1);
    const range = { fromBlock: quantityOf(from), toBlock: quantityOf(to < head ? to : head) };
    const logs = await read('eth_getLogs', [{ address: requirement.asset, topics, ...range }]);
    if (!Array.isArray(logs)) return undefined;
    const [log] = logs.filter(isJsonObject);
    const transaction = log?.['transactionHash'];
    const [topic] = topicsOf(log);
    if (typeof transaction === 'string' && topic !== undefined) return { transaction, topic };
    from = to + 1n;
  }
  return undefined;
}

/**
 * The token logs `AuthorizationUsed` and transfers right after that, so its next log must be the transfer. Another transfer in the transaction could belong to another
 * authorization, and then one payment would pay for two steps.
 */
function paysAsAsked(receipt: unknown, { requirement, terms }: Asked): boolean {
  // A reverted transaction has no logs.
  if (!isJsonObject(receipt) || !Array.isArray(receipt['logs'])) return false;
  const logs = receipt['logs'].filter(isJsonObject).filter((log) => isSameHex(log['address'], requirement.asset));
  const [payer, payee] = [wordOf(terms?.payer), wordOf(requirement.payTo)];
  const at = logs.findIndex((log) => isTopics(log, [usedTopic, payer, wordOf(terms?.nonce)]));
  const next = at < 0 ? undefined : logs[at + 1];
  if (next === undefined || !isTopics(next, [transferTopic, payer, payee])) return false;
  return typeof next['data'] === 'string' && numberOf(next['data']) === BigInt(requirement.amount);
}

/** A block number before any transaction that is sent from now on, for a later search. */
export async function blockBeforeNow(ledger: LedgerAccess, network: string): Promise<number | undefined> {
  const head = numberOf(await ledger(caip2Of(network))?.('eth_blockNumber', []));
  // The node that is queried later may be behind this node.
  const margin = 64n;
  if (head === undefined) return undefined;
  return Number(head > margin ? head - margin : 0n);
}

function headOf(block: unknown): { readonly number: bigint; readonly timestamp: bigint } | undefined {
  if (!isJsonObject(block)) return undefined;
  const [number, timestamp] = [numberOf(block['number']), numberOf(block['timestamp'])];
  return number === undefined || timestamp === undefined ? undefined : { number, timestamp };
}

function isTopics(log: JsonObject, expected: readonly string[]): boolean {
  const topics = topicsOf(log);
  return topics.length === expected.length && topics.every((topic, at) => isSameHex(topic, expected[at]));
}

function topicsOf(log: JsonObject | undefined): readonly string[] {
  const topics = log?.['topics'];
  return Array.isArray(topics) ? topics.filter((topic) => typeof topic === 'string') : [];
}

function isSameHex(left: unknown, right: string | undefined): boolean {
  return typeof left === 'string' && left.toLowerCase() === right?.toLowerCase();
}

/** A 32-byte word, as in topics and arguments. */
function wordOf(hex = '0x'): string {
  return `0x${hex.slice(2).toLowerCase().padStart(64, '0')}`;
}

function numberOf(value: unknown): bigint | undefined {
  return typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value) ? BigInt(value) : undefined;
}

function quantityOf(value: bigint): string {
  return `0x${value.toString(16)}`;
}
