/** Usage by minute, hour or day (contract/usage). */

import { ask } from './ask.ts';
import * as shapes from './generated/shapes.ts';
import { searchOf } from './paged.ts';
import type { CallOptions, Send } from './transport.ts';
import type { AdminUsageBy, UsageBucket, UsageBy, UsageRow } from './wire.ts';

/** Times are ISO 8601 with a zone. Default: the last hour, by minute, without grouping. */
export type UsageQuestion<By extends AdminUsageBy = UsageBy> = {
  /** The first bucket is the one that contains this time. */
  readonly from?: string | undefined;
  /** Buckets that begin before this time. */
  readonly to?: string | undefined;
  readonly bucket?: UsageBucket | undefined;
  readonly by?: By | undefined;
  /** Usage of this key only; `token` for requests with a token. */
  readonly keyId?: string | undefined;
  /** Usage of this network only: `ethereum/mainnet`. */
  readonly network?: string | undefined;
};

export type AdminUsageQuestion = UsageQuestion<AdminUsageBy> & {
  /** Usage of this user only. */
  readonly userId?: string | undefined;
};

/** The oldest bucket first; a bucket without requests has no row. 400 for more than 1,000 rows; its message names a suitable bucket. */
export type ReadUsage<Question> = (question?: Question, options?: CallOptions) => Promise<readonly UsageRow[]>;

export function createUsage(send: Send): ReadUsage<UsageQuestion> {
  return readerOf(send, 'GET /users/me/usage');
}

export function createAdminUsage(send: Send): ReadUsage<AdminUsageQuestion> {
  return readerOf(send, 'GET /admin/usage');
}

function readerOf(send: Send, route: 'GET /users/me/usage' | 'GET /admin/usage'): ReadUsage<AdminUsageQuestion> {
  return async (question = {}, options = {}) =>
    (await ask(send, route, shapes.usageReport, [], { query: searchOf(question), options })).data;
}
