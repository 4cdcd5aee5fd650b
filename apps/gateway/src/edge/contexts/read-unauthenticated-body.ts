/**
 * Reads bodies of requests without a valid credential: few bytes of each, and a bounded amount for each address and minute, because no user's limit applies
 * (docs/decisions/0042).
 */

import type { Clock } from '@flowgate/base/clock';
import { refused } from '@flowgate/base/result';
import { ByteAllowance } from '@flowgate/bytes/byte-allowance';
import { ByteBudget, byteBudgetSizes } from '@flowgate/bytes/byte-budget';
import {
  type BodyCarrier,
  type BodyDeadlines,
  createReadBody,
  freelyDecodedBytes,
  smallBodyBytes,
} from './request-body.ts';

/** Sets `carrier.body`; returns a promise only when it has to wait. */
export type ReadUnauthenticatedBody = (
  carrier: BodyCarrier & { clientAddress(): string },
) => Promise<undefined> | undefined;

export type ReadUnauthenticatedBodyDeps<Handle> = {
  /** The maximum of bytes of such bodies at one time. */
  readonly maxBytesInFlight: number;
  readonly timeoutMs: number;
  readonly timerWheel: BodyDeadlines<Handle>;
  readonly clock: Pick<Clock, 'monotonic'>;
};

/** Applies to bodies of more than the freely decoded bytes; decoding this much takes about ten milliseconds. */
const decodedBytesPerMinute = 2_097_152;
/** Further addresses share one allowance. */
const maxAddresses = 100_000;

const spent = refused('unavailable');

export function createReadUnauthenticatedBody<Handle>(
  deps: ReadUnauthenticatedBodyDeps<Handle>,
): ReadUnauthenticatedBody {
  const { maxBytesInFlight, timeoutMs, timerWheel, clock } = deps;
  const allowance = new ByteAllowance({ bytesPerMinute: decodedBytesPerMinute, maxOwners: maxAddresses, clock });
  const budget = new ByteBudget(byteBudgetSizes(maxBytesInFlight, smallBodyBytes));
  const read = createReadBody(
    { maxBytes: smallBodyBytes, timeoutMs, countedFromBytes: 1, decodes: false },
    budget,
    timerWheel,
  );
  const readCounted = async (carrier: BodyCarrier, address: string): Promise<undefined> => {
    await read(carrier, address);
    const bytes = carrier.body?.ok === true ? carrier.body.value.length : 0;
    if (bytes > freelyDecodedBytes) allowance.spend(address, bytes);
    return undefined;
  };
  return (carrier) => {
    const address = carrier.clientAddress();
    if (carrier.request.body.announced <= freelyDecodedBytes) return read(carrier, address);
    if (allowance.waitMs(address) === 0) return readCounted(carrier, address);
    carrier.body = spent;
    return undefined;
  };
}
