/** Resolves the addresses of a host within a time. Concurrent callers share one look-up. */

import { lookup } from 'node:dns/promises';
import type { TimerWheel } from '@flowgate/async/timer-wheel';
import { errorCode } from '../client/http1-call.ts';

/** All addresses of the name; rejects when it has none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

export type HostAddresses = (hostname: string, timeoutMs: number) => Promise<readonly string[] | HostFailure>;
/** `detail` names no host. */
export type HostFailure = { readonly failure: 'connect' | 'timeout' | 'overloaded'; readonly detail: string };

/** Look-ups that hang must not accumulate: a user who names hosts may also run their name servers. */
const maxPending = 256;
/** For the names of one domain: its name servers may be slow on purpose, and other names must still be resolved. */
const maxPendingOfDomain = 16;
/** Longer than resolvers try. After that a pending look-up counts as lost and is repeated. */
const maxPendingMs = 30_000;

export const resolveBySystem: Resolve = async (hostname) => {
  const found = await lookup(hostname, { all: true });
  return found.map(({ address }) => address);
};

export function createHostAddresses(resolve: Resolve, timerWheel: TimerWheel): HostAddresses {
  const pending = new Map<string, Promise<readonly string[] | HostFailure>>();

  function ask(hostname: string): Promise<readonly string[] | HostFailure> {
    const answer = answerOf(resolve, hostname);
    const forget = () => {
      if (pending.get(hostname) === answer) pending.delete(hostname);
    };
    pending.set(hostname, answer);
    const deadline = timerWheel.arm(maxPendingMs, forget);
    void answer.then(() => {
      timerWheel.disarm(deadline);
      forget();
    });
    return answer;
  }

  return (hostname, timeoutMs) => {
    const known = pending.get(hostname);
    if (known === undefined && (pending.size >= maxPending || isCrowded(pending.keys(), hostname))) {
      return Promise.resolve({ failure: 'overloaded', detail: 'too many names are being resolved' });
    }
    const answer = known ?? ask(hostname);
    return new Promise((settle) => {
      const late: HostFailure = { failure: 'timeout', detail: 'the name was not resolved in time' };
      const deadline = timerWheel.arm(timeoutMs, () => settle(late));
      void answer.then((value) => {
        timerWheel.disarm(deadline);
        settle(value);
      });
    });
  };
}

/**
 * The last two labels count as the domain. For suffixes such as `co.uk`, several domains share a bound that regular use
 * hardly reaches.
 */
function isCrowded(pending: Iterable<string>, hostname: string): boolean {
  const domain = domainOf(hostname);
  let count = 0;
  for (const each of pending) if (domainOf(each) === domain) count += 1;
  return count >= maxPendingOfDomain;
}

function domainOf(hostname: string): string {
  return hostname.split('.').slice(-2).join('.');
}

async function answerOf(resolve: Resolve, hostname: string): Promise<readonly string[] | HostFailure> {
  try {
    const addresses = await resolve(hostname);
    if (addresses.length > 0) return addresses;
  } catch (error) {
    return { failure: 'connect', detail: `the name cannot be resolved (${errorCode(error)})` };
  }
  return { failure: 'connect', detail: 'the name has no address' };
}
