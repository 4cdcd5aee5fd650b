/** For tests of requests to addresses that users name: a resolver that leads to servers of the test. */

import { createTimerWheel } from '@flowgate/async/timer-wheel';
import { TurnBudget } from '@flowgate/async/turn-budget';
import { systemClock } from '@flowgate/base/clock';
import {
  createSafeFetch,
  type SafeFetchOptions,
  type SafeReply,
  type SafeRequest,
} from '@flowgate/http1/safe-fetch/safe-fetch';
import { endsWith } from './raw-http1-server.ts';

const timerWheel = createTimerWheel(systemClock, 5);
const turns = new TurnBudget(systemClock);

/** Ended by `endAll`. */
export function openSafeFetch(options: Partial<SafeFetchOptions> = {}) {
  const safeFetch = createSafeFetch({
    allowPrivateHosts: ['127.0.0.1'],
    clock: systemClock,
    timerWheel,
    turns,
    ...options,
  });
  endsWith(() => safeFetch.close());
  const ask = (url: string, more: Partial<SafeRequest> = {}): Promise<SafeReply> =>
    safeFetch.request({ url, tenant: 'test', method: 'GET', headers: {}, timeoutMs: 20_000, maxBytes: 1000, ...more });
  return { ...safeFetch, ask };
}

export const textOf = (reply: SafeReply): string =>
  reply.ok ? new TextDecoder().decode(reply.body) : `${reply.failure}: ${reply.detail}`;
