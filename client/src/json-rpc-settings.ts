/** Settings of viem's transport and the EIP-1193 provider: a gateway, a key, and the network or node to call. */

import { credentialHeader, type SecretSource } from './credential.ts';
import type { RpcTarget } from './json-rpc.ts';
import type { Retry } from './retry.ts';
import { createTransport, defaultMaxAnswerBytes, type Fetch, type OnAnswer, type Send } from './transport.ts';

export type JsonRpcSettings = RpcTarget & {
  /** The gateway's address, for example `https://rpc.example.com`; may include a path before the gateway's routes. */
  readonly url: string;
  /** JSON-RPC accepts API keys only (contract/credentials#what-each-may-do). */
  readonly apiKey: SecretSource;
  /** Replaces the platform's `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** In milliseconds, for each call including retries. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** Retries of plain reads; transactions are never retried. Default 3 retries. */
  readonly retry?: Retry | undefined;
  /** Called for each answer over HTTP. */
  readonly onAnswer?: OnAnswer | undefined;
};

/** Applies the defaults. Throws `TypeError` when `url` is not a valid address of a gateway. */
export function sendWith(settings: JsonRpcSettings): Send {
  const { send } = createTransport({
    url: settings.url,
    credential: credentialHeader({ apiKey: settings.apiKey }),
    fetch: settings.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    timeoutMs: settings.timeoutMs ?? 30_000,
    maxAnswerBytes: defaultMaxAnswerBytes,
    retry: settings.retry ?? { retries: 3 },
    onAnswer: settings.onAnswer,
  });
  return send;
}

/** The selected network or node. */
export function targetOf({ network, node }: RpcTarget): RpcTarget {
  return node === undefined ? { network } : { node };
}
