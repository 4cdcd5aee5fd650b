/** Reads what comes without a valid credential: little of it, and for each address so much in a minute, since nothing else bounds it (docs/decisions/0042). */

import { ByteAllowance } from '../platform/bytes/byte-allowance.ts';
import { ByteBudget, byteBudgetSizes } from '../platform/bytes/byte-budget.ts';
import type { Clock } from '../platform/clock.ts';
import { type Refused, refused } from '../platform/result.ts';
import {
  announcedBytes,
  type BodyDeadlines,
  createReadBody,
  freelyDecodedBytes,
  smallBodyBytes,
} from './request-body.ts';
import type { RequestContext } from './request-context.ts';

export type ReadStrangersBody = (context: RequestContext) => ReturnType<ReturnType<typeof createReadBody>>;

export type StrangersBodyParts<Handle> = {
  readonly addressOf: (context: RequestContext) => string;
  /** Bytes of strangers' bodies that may be on their way at once. */
  readonly maxBytesInFlight: number;
  readonly timeoutMs: number;
  readonly timerWheel: BodyDeadlines<Handle>;
  readonly clock: Pick<Clock, 'monotonic'>;
};

/** Of bodies that are more than ordinary; decoding so much takes some ten milliseconds. */
const decodedBytesPerMinute = 2_097_152;
/** More addresses than this at once share one allowance. */
const maxAddresses = 100_000;

const spent: Promise<Refused<'unavailable'>> = Promise.resolve(refused('unavailable'));

export function createReadStrangersBody<Handle>(parts: StrangersBodyParts<Handle>): ReadStrangersBody {
  const { addressOf, maxBytesInFlight, timeoutMs, timerWheel, clock } = parts;
  const allowance = new ByteAllowance({ bytesPerMinute: decodedBytesPerMinute, maxOwners: maxAddresses, clock });
  const budget = new ByteBudget(byteBudgetSizes(maxBytesInFlight, smallBodyBytes));
  const read = createReadBody({ maxBytes: smallBodyBytes, timeoutMs, countedFromBytes: 1 }, budget, timerWheel);
  return (context) => {
    const address = addressOf(context);
    if (announcedBytes(context.request.headers) <= freelyDecodedBytes) return read(context, address);
    if (allowance.waitMs(address) > 0) return spent;
    return read(context, address).then((received) => {
      if (received.ok && received.value.length > freelyDecodedBytes) allowance.spend(address, received.value.length);
      return received;
    });
  };
}
