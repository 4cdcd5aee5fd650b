/** A health check over HTTP: the questions for the chain and for its head, on a connection of their own. */

import type { Clock } from '@flowgate/base/clock';
import type { Http1Client } from '@flowgate/http1/client/http1-client';
import { type Chain, chainQuestion, headQuestion, readHead } from '../port/chain-proof.ts';
import type { ProbeReply } from '../port/node-transport.ts';
import { failedProof } from './http-try.ts';

/** `prober`: a client that is used for nothing else. It keeps no connection from one probe to the next, so that each has the experience of a new caller. */
export async function probeOver(
  prober: Pick<Http1Client, 'post' | 'release'>,
  chain: Chain,
  clock: Clock,
): Promise<ProbeReply> {
  try {
    const failed = failedProof(chain, await prober.post(chainQuestion(chain.family)), clock);
    if (failed !== undefined) return failed;
    const startedMs = clock.monotonic();
    const head = await prober.post(headQuestion(chain.family));
    return {
      ok: true,
      latencyMs: Math.max(1, Math.round(clock.monotonic() - startedMs)),
      blockHeight: head.ok ? readHead(chain.family, head.status, head.body) : undefined,
    };
  } finally {
    prober.release(true);
  }
}
