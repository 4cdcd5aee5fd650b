/** The part of the composition root about request bodies: how much of them is held, and how much is decoded for nothing. */

import type { Config } from '../config/config.ts';
import { addressOf, type Door } from '../http/admit.ts';
import { createReadBody, type ReadBody, smallBodyBytes } from '../http/request-body.ts';
import { createReadStrangersBody, type ReadStrangersBody } from '../http/strangers-body.ts';
import { ByteAllowance } from '../platform/bytes/byte-allowance.ts';
import { ByteBudget, byteBudgetSizes } from '../platform/bytes/byte-budget.ts';
import type { Clock } from '../platform/clock.ts';
import type { TimerWheel } from '../platform/timer-wheel.ts';

/** A user whose limit is spent and who goes on all the same has so many of the largest bodies decoded in a minute, then none (docs/decisions/0042). */
const unpaidBodiesPerMinute = 4;
/** Of the room for users' bodies, what strangers have beside it: theirs are small. */
const strangersPart = 1 / 16;

export function unpaidDecoding({ limits }: Pick<Config, 'limits'>, clock: Clock): ByteAllowance {
  const bytesPerMinute = unpaidBodiesPerMinute * limits.maxBodyBytes;
  return new ByteAllowance({ bytesPerMinute, maxOwners: Number.POSITIVE_INFINITY, clock });
}

type BodyParts = { readonly door: Door; readonly timerWheel: TimerWheel; readonly clock: Clock };

export function openBodies(
  { limits, server }: Pick<Config, 'limits' | 'server'>,
  { door, timerWheel, clock }: BodyParts,
): { readonly readBody: ReadBody; readonly readStrangersBody: ReadStrangersBody } {
  const timeoutMs = server.bodyTimeoutSeconds * 1000;
  const budget = new ByteBudget(byteBudgetSizes(limits.maxBodyBytesInFlight, limits.maxBodyBytes));
  return {
    readBody: createReadBody(
      { maxBytes: limits.maxBodyBytes, timeoutMs, countedFromBytes: smallBodyBytes + 1 },
      budget,
      timerWheel,
    ),
    readStrangersBody: createReadStrangersBody({
      addressOf: (context) => addressOf(door, context),
      maxBytesInFlight: limits.maxBodyBytesInFlight * strangersPart,
      ...{ timeoutMs, timerWheel, clock },
    }),
  };
}
