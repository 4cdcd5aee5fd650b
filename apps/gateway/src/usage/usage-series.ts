/** The labels and outcome that requests are counted under, with an id that every gateway computes alike. */

import type { UsageOutcome, UsageSurface } from '../api/used.ts';

export type UsageLabels = {
  readonly userId: string;
  readonly keyId: string;
  readonly surface: UsageSurface;
  readonly network: string;
  readonly app: string;
  readonly method: string;
};

export type UsageSeries = UsageLabels & { readonly outcome: UsageOutcome };

/** 96 bits, so that no user finds labels whose id collides with another user's. */
const idLength = 16;

/** Unique for each series: the encoding of the labels is unambiguous. */
export function seriesIdOf({ userId, keyId, surface, network, app, method, outcome }: UsageSeries): string {
  const text = JSON.stringify([userId, keyId, surface, network, app, method, outcome]);
  return new Bun.CryptoHasher('sha256').update(text).digest('base64url').slice(0, idLength);
}
