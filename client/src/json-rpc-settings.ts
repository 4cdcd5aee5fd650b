/** What viem's transport and the EIP-1193 provider are told: a gateway, a key, and which of its networks or nodes to call. */

import { credentialHeader, type SecretSource } from './credential.ts';
import type { RpcTarget } from './json-rpc.ts';
import type { Retry } from './retry.ts';
import { createTransport, defaultMaxAnswerBytes, type Fetch, type OnAnswer, type Send } from './transport.ts';

export type JsonRpcSettings = RpcTarget & {
  /** The gateway's address, `https://rpc.example.com` for example; a path in front of its routes is kept. */
  readonly url: string;
  /** JSON-RPC takes keys only (contract/credentials#what-each-may-do). */
  readonly apiKey: SecretSource;
  /** In place of the platform's `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** For each call, retries included. Default 30 000. */
  readonly timeoutMs?: number | undefined;
  /** Of plain reads alone; transactions are never repeated. Default 3 retries. */
  readonly retry?: Retry | undefined;
  /** Told of every answer over HTTP. */
  readonly onAnswer?: OnAnswer | undefined;
};

/** With these settings' defaults. Throws `TypeError` when `url` cannot be a gateway's address. */
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

/** Which of both is meant. */
export function targetOf({ network, node }: RpcTarget): RpcTarget {
  return node === undefined ? { network } : { node };
}
