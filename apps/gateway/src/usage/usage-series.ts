/** What requests are counted under: a set of labels and an outcome, with an id that every gateway computes alike. */

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

/** 96 bits: no one finds labels of their own that have the id of somebody else's. */
const idLength = 16;

/** No two series have the same one: the labels are encoded so that they can be told apart. */
export function seriesIdOf({ userId, keyId, surface, network, app, method, outcome }: UsageSeries): string {
  const text = JSON.stringify([userId, keyId, surface, network, app, method, outcome]);
  return new Bun.CryptoHasher('sha256').update(text).digest('base64url').slice(0, idLength);
}
