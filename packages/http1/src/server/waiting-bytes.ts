/**
 * Counts the bytes that wait on all connections of a listener, with a share for each client address. A connection
 * without room is closed, counted and logged (contract/bounds#waiting).
 */

import type { Clock } from '@flowgate/base/clock';
import { ByteBudget, type ByteGrant } from '@flowgate/bytes/byte-budget';
import type { Log } from '@flowgate/telemetry/log';

/** The exceeded bound: that of one address, or that of the process. */
export type WaitingBound = 'address' | 'process';

export type WaitingBytesDeps = {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly log: Pick<Log, 'warn'>;
  /** Called for each connection that is closed. */
  readonly refused?: ((bound: WaitingBound) => void) | undefined;
};

export type WaitingBytes = Pick<ByteBudget, 'take' | 'giveBack' | 'reservedBytes'>;

const defaultSizes = { totalBytes: 536_870_912, ownerBytes: 134_217_728 };
const logEveryMs = 60_000;

/**
 * Logs the first connection at once, and the number of further ones at most once a minute, so that an attack does not
 * fill the log.
 */
export function createWaitingBytes({ clock, log, refused }: WaitingBytesDeps, sizes = defaultSizes): WaitingBytes {
  const budget = new ByteBudget(sizes);
  let closed = 0;
  let loggedMs = Number.NEGATIVE_INFINITY;

  function noteRefused(bound: WaitingBound): void {
    refused?.(bound);
    closed += 1;
    const nowMs = clock.monotonic();
    if (nowMs - loggedMs < logEveryMs) return;
    log.warn('connections.no-room', { bound, closed, waitingBytes: budget.reservedBytes });
    loggedMs = nowMs;
    closed = 0;
  }

  return {
    take(owner, bytes): ByteGrant {
      const grant = budget.take(owner, bytes);
      if (grant !== 'granted') noteRefused(grant === 'owner-full' ? 'address' : 'process');
      return grant;
    },
    giveBack: (owner, bytes) => budget.giveBack(owner, bytes),
    get reservedBytes() {
      return budget.reservedBytes;
    },
  };
}
