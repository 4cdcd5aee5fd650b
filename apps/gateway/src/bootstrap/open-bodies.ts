/** Opens the limits for request bodies: how many bytes are buffered, and how many are decoded without charge. */

import type { TimerWheel } from '@flowgate/async/timer-wheel';
import type { Clock } from '@flowgate/base/clock';
import { ByteAllowance } from '@flowgate/bytes/byte-allowance';
import { ByteBudget, byteBudgetSizes } from '@flowgate/bytes/byte-budget';
import type { Config } from '../config/config.ts';
import {
  createReadUnauthenticatedBody,
  type ReadUnauthenticatedBody,
} from '../edge/contexts/read-unauthenticated-body.ts';
import { createReadBody, type ReadBody, smallBodyBytes } from '../edge/contexts/request-body.ts';

/** The number of bodies of the maximum size that are decoded per minute for a user whose limit is used up (docs/decisions/0042). */
const unchargedBodiesPerMinute = 4;
/** The budget for bodies without a valid credential, as a fraction of the budget for users' bodies: few bytes of each are read. */
const unauthenticatedPart = 1 / 16;

export function unchargedDecoding({ limits }: Pick<Config, 'limits'>, clock: Clock): ByteAllowance {
  const bytesPerMinute = unchargedBodiesPerMinute * limits.maxBodyBytes;
  return new ByteAllowance({ bytesPerMinute, maxOwners: Number.POSITIVE_INFINITY, clock });
}

type BodyDeps = { readonly timerWheel: TimerWheel; readonly clock: Clock };

export function openBodies(
  { limits, server }: Pick<Config, 'limits' | 'server'>,
  { timerWheel, clock }: BodyDeps,
): {
  readonly readBody: ReadBody;
  readonly readUnauthenticatedBody: ReadUnauthenticatedBody;
  /** For other buffers of callers' bytes, such as WebSocket messages. */
  readonly bodyBudget: ByteBudget;
} {
  const timeoutMs = server.bodyTimeoutSeconds * 1000;
  const budget = new ByteBudget(byteBudgetSizes(limits.maxBodyBytesInFlight, limits.maxBodyBytes));
  return {
    bodyBudget: budget,
    readBody: createReadBody(
      { maxBytes: limits.maxBodyBytes, timeoutMs, countedFromBytes: smallBodyBytes + 1, decodes: true },
      budget,
      timerWheel,
    ),
    readUnauthenticatedBody: createReadUnauthenticatedBody({
      maxBytesInFlight: limits.maxBodyBytesInFlight * unauthenticatedPart,
      ...{ timeoutMs, timerWheel, clock },
    }),
  };
}
