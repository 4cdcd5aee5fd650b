/** Reads usage: a user's own, or any user's for administrators. */

import type { Clock } from '@flowgate/base/clock';
import { ok, type Result, refused } from '@flowgate/base/result';
import type { BodyOf } from '@flowgate/body-schema/body-schema';
import type { QuestionGate } from './question-gate.ts';
import { adviceFor, parseUsageQuestion } from './usage-query.ts';
import type { UsageReadBounds, UsageStore } from './usage-store.ts';
import { maxRows, type usageReport, usageRowView } from './usage-wire.ts';

export type ReadUsageDeps = {
  readonly store: Pick<UsageStore, 'read'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly gate: QuestionGate;
};

/** Who asks, and whether about all users. */
export type UsageAsker = { readonly userId: string; readonly asksAboutAll: boolean };

/** A user's own usage is within the first bound, unless the user has accumulated labels. */
const ownBounds: UsageReadBounds = { sums: maxRows, points: 50_000 };
const adminBounds: UsageReadBounds = { sums: maxRows, points: 400_000 };

/** `unavailable`: the caller has the maximum of queries in progress. Throws `Unavailable` when the store is unavailable. */
export async function readUsage(
  { store, clock, gate }: ReadUsageDeps,
  query: URLSearchParams,
  asker: UsageAsker,
): Promise<Result<BodyOf<typeof usageReport>, 'bad-request' | 'unavailable'>> {
  const nowMs = clock.now();
  const question = parseUsageQuestion(query, asker.asksAboutAll ? undefined : asker.userId, nowMs);
  if (!question.ok) return question;
  const bounds = asker.asksAboutAll ? adminBounds : ownBounds;
  const answer = await gate.run(asker.userId, () => store.read(question.value, bounds));
  if (answer === undefined)
    return refused('unavailable', 'The maximum number of your usage queries is in progress: wait for their answers.');
  const range = { ...question.value, nowMs };
  if (answer.kind === 'too-many-points')
    return refused('bad-request', `The query covers too much usage: ${adviceFor(range, 1)}, or add a filter`);
  const { sums } = answer;
  if (sums.length <= maxRows) return ok({ data: sums.map(usageRowView) });
  const inOneBucket = new Set(sums.map(({ by }) => by)).size;
  return refused('bad-request', `The answer would have over ${maxRows} rows: ${adviceFor(range, inOneBucket)}`);
}
