/** Asks a registered node for its chain id and its head: before it is stored, and at every interval (contract/nodes#checks). */

import type { Clock } from '@flowgate/base/clock';
import type { SafeFetch, SafeReply } from '@flowgate/http1/safe-fetch/safe-fetch';
import { type Chain, chainQuestion, headQuestion, proveChain, readHead } from '../../upstream/port/chain-proof.ts';

export type CheckedTarget = {
  /** The whole URL, including the provider's key. */
  readonly url: string;
  /** Whether an administrator vouches for it: then its address may be private. */
  readonly vouched: boolean;
  readonly chain: Chain;
  /** The owner on whose behalf it asks: connections of other owners are not used. */
  readonly tenant: string;
};

export type NodeCheck =
  | { readonly kind: 'healthy'; readonly blockHeight: number; readonly latencyMs: number }
  /** `found`: what identifies the other chain. */
  | { readonly kind: 'wrong-chain'; readonly found: string }
  /** The host has an address that users may not name. */
  | { readonly kind: 'forbidden' }
  /** This gateway had no room to ask: it says nothing about the node. */
  | { readonly kind: 'not-asked' }
  /** `detail` says why in a few words, and holds no URL and nothing of an answer. */
  | { readonly kind: 'no-answer'; readonly detail: string; readonly status?: number };

export type NodeCheckDeps = { readonly request: SafeFetch['request']; readonly clock: Pick<Clock, 'monotonic'> };

export type CheckNode = (target: CheckedTarget) => Promise<NodeCheck>;

/** For both questions together. A slower node is unusable for calls, too. */
export const checkTimeoutMs = 5_000;
/** Valid answers have about a hundred bytes. */
const maxAnswerBytes = 16_384;

/** Never throws. The latency is that of the first question, including the opening of a new connection. */
export function createCheckNode({ request, clock }: NodeCheckDeps): CheckNode {
  return async ({ url, vouched, chain, tenant }) => {
    const startedMs = clock.monotonic();
    const ask = (body: string): Promise<SafeReply> =>
      request({
        ...{ url, vouched, tenant, body, method: 'POST', maxBytes: maxAnswerBytes },
        headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
        timeoutMs: Math.max(1, checkTimeoutMs - (clock.monotonic() - startedMs)),
      });
    const identity = await ask(chainQuestion(chain.family));
    const latencyMs = Math.max(0, Math.round(clock.monotonic() - startedMs));
    if (!identity.ok) return failed(identity);
    const proof = proveChain(chain, identity.status, textOf(identity));
    if (proof.kind === 'wrong') return { kind: 'wrong-chain', found: proof.found };
    if (proof.kind === 'none') return { kind: 'no-answer', detail: proof.detail, status: identity.status };
    const head = await ask(headQuestion(chain.family));
    if (!head.ok) return failed(head);
    const blockHeight = readHead(chain.family, head.status, textOf(head));
    return blockHeight === undefined
      ? {
          kind: 'no-answer',
          detail: 'returned no valid number of its newest block',
          status: head.status,
        }
      : { kind: 'healthy', blockHeight, latencyMs };
  };
}

function failed(reply: Extract<SafeReply, { ok: false }>): NodeCheck {
  if (reply.failure === 'forbidden') return { kind: 'forbidden' };
  if (reply.failure === 'overloaded') return { kind: 'not-asked' };
  return { kind: 'no-answer', detail: reply.detail };
}

function textOf({ body }: Extract<SafeReply, { ok: true }>): string {
  return new TextDecoder().decode(body);
}
