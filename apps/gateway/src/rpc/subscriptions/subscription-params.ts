/** Reads the parameters of `eth_subscribe`: what is subscribed to, and the filter of logs (contract/subscriptions). */

import { parseJsonBytes } from '@flowgate/json/json-text';
import type { JsonText } from '../../upstream/port/node-port.ts';
import { type LogFilter, readLogFilter } from './log-filter.ts';
import { type RefusedSubscription, type SubscriptionKind, subscriptionKinds } from './subscriptions.ts';

export type Wanted =
  | { readonly kind: Exclude<SubscriptionKind, 'logs'> }
  | { readonly kind: 'logs'; readonly filter: LogFilter };

/** Some thousand addresses and topics: the largest filter that is taken is shorter. */
const mostBytes = 393_216;
const mostValues = 8_192;

/** The JSON-RPC error for parameters that are wrong. `problem` quotes nothing. */
export function badParameters(problem: string): RefusedSubscription {
  return { ok: false, code: -32602, message: `Invalid params: ${problem}.` };
}

/** Takes time in proportion to the length, of which there is a bound. */
export function readSubscriptionParams(params: JsonText | undefined): Wanted | RefusedSubscription {
  if (params === undefined) return badParameters('eth_subscribe wants an array that begins with what to subscribe to');
  if (params.length > mostBytes) return badParameters(`more than ${mostBytes} bytes`);
  const parsed = parseJsonBytes(params.bytes.subarray(params.start, params.end), { mostValues });
  const value = typeof parsed === 'string' ? undefined : parsed.value;
  if (!Array.isArray(value)) return badParameters('eth_subscribe wants an array that begins with what to subscribe to');
  const [name, more, ...others]: readonly unknown[] = value;
  const kind = subscriptionKinds.find((each) => each === name);
  if (kind === undefined) return badParameters(`there are subscriptions to ${subscriptionKinds.join(', ')}`);
  if (others.length > 0) return badParameters('too many parameters');
  if (kind === 'logs') {
    const filter = readLogFilter(more);
    return typeof filter === 'string' ? badParameters(filter) : { kind, filter };
  }
  if (kind === 'newPendingTransactions' && more === true)
    return badParameters('pending transactions are told by their hashes only');
  return isNothing(more) || more === false ? { kind } : badParameters(`${kind} takes no parameter`);
}

/** Some clients send an empty object where others send nothing. */
function isNothing(given: unknown): boolean {
  return given === undefined || given === null || (typeof given === 'object' && Object.keys(given).length === 0);
}
