/** Delivers an event in the form of a webhook: same body, same headers, signed (contract/events#webhooks). */

import { messageOf } from '@flowgate/base/text';
import type { FlowEvent } from '@flowgate/client';
import { signMessage } from '@flowgate/client/flow-app';

export type Forwarding = {
  readonly url: string;
  readonly secret: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly signal: AbortSignal;
};

export type ForwardOutcome = {
  /** Absent without an answer. */
  readonly status?: number;
  readonly isDelivered: boolean;
  /** The receiver answered 410: it accepts no further events. */
  readonly isGone: boolean;
  /** For the terminal. */
  readonly reported: string;
};

/** The gateway's timeout for webhooks. */
const maxMs = 10_000;

/** One attempt without redirects. Throws the signal's reason when the signal is aborted. */
export async function forwardEvent(
  { id, type, timestamp, data }: FlowEvent,
  { url, secret, now, signal }: Forwarding,
): Promise<ForwardOutcome> {
  const body = JSON.stringify({ id, type, timestamp, data });
  const headers = { 'Content-Type': 'application/json', ...(await signMessage({ secret, id, atMs: now(), body })) };
  const late = AbortSignal.timeout(maxMs);
  try {
    const init = {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, late]),
    } as const;
    const response = await fetch(url, init);
    // Only the status matters; the unread body must not occupy the connection.
    await response.body?.cancel();
    const { status } = response;
    const isDelivered = status >= 200 && status <= 299;
    return { status, isDelivered, isGone: status === 410, reported: String(status) };
  } catch (error) {
    signal.throwIfAborted();
    const reported = late.aborted ? `no answer within ${maxMs / 1000} seconds` : `no answer: ${messageOf(error)}`;
    return { isDelivered: false, isGone: false, reported };
  }
}
