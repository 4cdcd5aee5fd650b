/** Sends the texts that the content filter allowed to the operator's classifier (contract/flow-apps#classifier). */

import type { Clock } from '@flowgate/base/clock';
import { Tally } from '@flowgate/base/tally';
import { classifierRule } from '@flowgate/content-filter/content-filter-settings';
import type { SafeFetch } from '@flowgate/http1/safe-fetch/safe-fetch';
import { isJsonObject, member } from '@flowgate/json/json-object';
import { parseJsonBytes } from '@flowgate/json/json-text';
import type { Log } from '@flowgate/telemetry/log';
import type { Counter } from '@flowgate/telemetry/metrics/instruments';
import type { Family } from '@flowgate/telemetry/metrics/registry';
import { signWebhook } from '../signing/webhook-signature.ts';
import { textsIn } from './classified-texts.ts';

/** The settings under `flow.contentFilter.classifier` of the configuration. */
export type ClassifierSettings = {
  readonly url: string;
  /** Signs each request as webhooks are signed. */
  readonly secret: string;
  readonly timeoutMs: number;
  /** What happens to texts that the classifier does not classify in time, and to texts that are too large for it. */
  readonly onFailure: 'allow' | 'refuse';
  /** The limit for the texts of one request with their pointers, in bytes of UTF-8. */
  readonly maxBytes: number;
};

/**
 * `refused`: `pointer` leads to the text, and `ruleId` is `classifier`. `busy`: the user, the app, or all apps together have the maximum of requests in flight, or the classifier
 * reports overload; a retry may succeed. `unclassified`: the classifier failed, and `onFailure` is `refuse`; a retry may succeed unless the texts are too large.
 */
export type Classification =
  | { readonly kind: 'allowed' }
  | { readonly kind: 'refused'; readonly ruleId: string; readonly pointer: string }
  | { readonly kind: 'busy' }
  | { readonly kind: 'unclassified'; readonly tooLarge: boolean };

/** The app whose texts are classified, and the user who will see them. */
export type TextOwner = { readonly appId: string; readonly userId: string };

/** `shown` is JSON; pointers begin in it. Never throws. */
export type ClassifyTexts = (owner: TextOwner, shown: unknown) => Promise<Classification>;

export type ClassifyTextsDeps = {
  readonly settings: ClassifierSettings;
  readonly request: SafeFetch['request'];
  readonly clock: Pick<Clock, 'now'>;
  readonly newRequestId: () => string;
  readonly log: Pick<Log, 'warn'>;
  /** By `outcome`. */
  readonly outcomes?: Family<Counter> | undefined;
};

/** Without these limits a slow classifier would let one user delay the others of an app, and one app delay all apps. The limit of a user counts over all apps. */
export const maxInFlightOfUser = 4;
export const maxInFlightOfApp = 8;
export const maxInFlight = 128;

/** Too Many Requests, and Service Unavailable. */
const busyStatuses: readonly number[] = [429, 503];

/** The indices of at most `maxBytes` texts. */
const maxResponseBytes = 262_144;

const outcomeNames = ['allowed', 'refused', 'failed', 'too-large', 'busy'] as const;
type Outcome = (typeof outcomeNames)[number];

const allowed: Classification = { kind: 'allowed' };

export function createClassifyTexts({
  settings,
  request,
  clock,
  newRequestId,
  log,
  outcomes,
}: ClassifyTextsDeps): ClassifyTexts {
  const { url, secret, timeoutMs, onFailure, maxBytes } = settings;
  const inFlight = new Tally();
  const inFlightOfUsers = new Tally();
  const counters = new Map(outcomeNames.map((outcome) => [outcome, outcomes?.with(outcome)]));
  const count = (outcome: Outcome) => counters.get(outcome)?.add();
  const failed = (appId: string, outcome: Extract<Outcome, 'failed' | 'too-large'>, reason: string): Classification => {
    count(outcome);
    log.warn('flow.classifier.failed', { appId, reason, onFailure });
    return onFailure === 'allow' ? allowed : { kind: 'unclassified', tooLarge: outcome === 'too-large' };
  };
  const busy = (): Classification => {
    count('busy');
    return { kind: 'busy' };
  };
  return async ({ appId, userId }, shown) => {
    const texts = textsIn(shown, maxBytes);
    if (texts === 'too-large') return failed(appId, 'too-large', 'the texts are larger than maxBytes');
    if (texts.length === 0) return allowed;
    // Not a failure of the classifier: otherwise an app could avoid it by sending many requests at once.
    if (
      inFlightOfUsers.of(userId) >= maxInFlightOfUser ||
      inFlight.of(appId) >= maxInFlightOfApp ||
      inFlight.total >= maxInFlight
    )
      return busy();
    const body = JSON.stringify({ appId, texts });
    inFlight.add(appId);
    inFlightOfUsers.add(userId);
    const reply = await request({
      ...{ url, vouched: true, tenant: 'content classifier', method: 'POST', body, timeoutMs },
      headers: {
        'Content-Type': 'application/json',
        ...signWebhook({ secret, id: newRequestId(), atMs: clock.now(), body }),
      },
      maxBytes: maxResponseBytes,
    }).finally(() => {
      inFlight.remove(appId);
      inFlightOfUsers.remove(userId);
    });
    if (!reply.ok) return failed(appId, 'failed', reply.detail);
    if (busyStatuses.includes(reply.status)) return busy();
    if (reply.status !== 200) return failed(appId, 'failed', `status ${reply.status}`);
    const first = firstRefused(reply.body, texts.length);
    if (first === 'malformed') return failed(appId, 'failed', 'the answer is not { "refused": [indices of texts] }');
    const { pointer } = texts[first] ?? {};
    count(pointer === undefined ? 'allowed' : 'refused');
    return pointer === undefined ? allowed : { kind: 'refused', ruleId: classifierRule, pointer };
  };
}

/** The lowest index of `{ "refused": [0, 3] }`; `count` if none is refused. */
function firstRefused(body: Uint8Array, count: number): number | 'malformed' {
  const parsed = parseJsonBytes(body, { maxValues: 100_000 });
  if (typeof parsed === 'string' || !isJsonObject(parsed.value)) return 'malformed';
  const refused = member(parsed.value, 'refused');
  if (!Array.isArray(refused)) return 'malformed';
  let first = count;
  for (const index of refused) {
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= count) return 'malformed';
    if (index < first) first = index;
  }
  return first;
}
