/** Checks app data when a query shows it, with the search for secrets and the content filter. Before that only the app has seen it (contract/flow-apps#content-filter). */

import { refused } from '@flowgate/base/result';
import type { ContentFilter, ContentFilterDenial } from '@flowgate/content-filter/content-filter';
import { secretEchoRule } from '@flowgate/content-filter/content-filter-settings';
import { findSecretEcho } from '@flowgate/flow-format/secrets/secret-echo';
import type { SecretScan } from '@flowgate/flow-format/secrets/secret-mark';
import type { RouteRefusal } from '../../api/route.ts';
import type { Asker } from './asker-queue.ts';
import { isSmall } from './read-large-responses.ts';
import type { ValidationQueue } from './validation-queue.ts';
import type { AppDataWork } from './worker-runner.ts';

/** App data to be shown. */
export type ShownData = {
  readonly data: unknown;
  /** Secrets that the data must not contain. */
  readonly secrets: SecretScan;
  /** The domains to which its texts may link. */
  readonly linkDomains: readonly string[];
};

/** Undefined if the data may be shown. `asker`: the user and the app of the data. Never throws because of the data. */
export type FilterAppData = (
  asker: Asker,
  shown: ShownData,
) => RouteRefusal | undefined | Promise<RouteRefusal | undefined>;

/** `contentFilter` has the same settings as the filter in `queue`'s worker. */
export function createFilterAppData(contentFilter: ContentFilter, queue: ValidationQueue): FilterAppData {
  return (asker, shown) => {
    const { data, secrets, linkDomains } = shown;
    const text = JSON.stringify(data);
    return isSmall(text.length, secrets)
      ? refusalOf(appDataDenial(shown, contentFilter))
      : filterElsewhere(queue, asker, { appData: text, secrets, linkDomains });
  };
}

/** The pointer leads into the query's response, below `/data`. */
export function appDataDenial(
  { data, secrets, linkDomains }: ShownData,
  contentFilter: ContentFilter,
): ContentFilterDenial | undefined {
  // Checked first: otherwise the pointer of another denial could contain a secret.
  const echo = findSecretEcho({ data }, secrets);
  if (echo !== undefined) return { ruleId: secretEchoRule, pointer: echo };
  // The filter reads every text of a step, so the data takes the step's place.
  const { denial } = contentFilter({ step: data }, linkDomains);
  return denial === undefined ? undefined : { ...denial, pointer: denial.pointer.replace(/^\/step/, '/data') };
}

async function filterElsewhere(
  queue: ValidationQueue,
  asker: Asker,
  work: AppDataWork,
): Promise<RouteRefusal | undefined> {
  const outcome = await queue.run(asker, work);
  if (outcome === 'crowded' || outcome === 'died')
    return refused('unavailable', 'The data could not be checked; try again later.');
  if (outcome === 'late')
    return { ...refused('bad-gateway', "The app's data takes too long to check."), retryable: false };
  const denial: ContentFilterDenial | null = JSON.parse(outcome.result);
  return refusalOf(denial ?? undefined);
}

function refusalOf(denial: ContentFilterDenial | undefined): RouteRefusal | undefined {
  if (denial === undefined) return undefined;
  const { ruleId, pointer } = denial;
  return {
    ...refused('bad-gateway', `content-filter rule ${ruleId} rejected text at ${pointer}`),
    retryable: false,
  };
}
