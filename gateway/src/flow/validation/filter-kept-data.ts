/** The content filter over what an app keeps for a user, when it is shown: app data is the app's own until a query hands it to people and agents (contract/flow-apps#content-filter). */

import type { RouteRefusal } from '../../api/route.ts';
import { refused } from '../../platform/result.ts';
import type { ContentFilter, ContentFilterDenial } from '../content-filter/content-filter.ts';
import { findSecretEcho, secretEchoRule } from '../secrets/secret-echo.ts';
import type { SecretScan } from '../secrets/secret-mark.ts';
import type { Asker } from './asker-queue.ts';
import { isSmall } from './read-large-responses.ts';
import type { ValidationQueue } from './validation-queue.ts';
import type { KeptWork } from './worker-runner.ts';

/** Undefined when it may be shown. `asker`: whose data it is; `secrets`: what must not be in it. Never throws because of it. */
export type FilterKeptData = (
  asker: Asker,
  data: unknown,
  secrets: SecretScan,
) => RouteRefusal | undefined | Promise<RouteRefusal | undefined>;

/** `contentFilter` is the one that the thread of `turns` has, too. */
export function createFilterKeptData(contentFilter: ContentFilter, queue: ValidationQueue): FilterKeptData {
  return (asker, data, secrets) => {
    const text = JSON.stringify(data);
    return isSmall(text.length, secrets)
      ? refusalOf(keptDenial(data, secrets, contentFilter))
      : filterElsewhere(queue, asker, { kept: text, secrets });
  };
}

/** The pointer is into the query's answer, under `/data`. */
export function keptDenial(
  data: unknown,
  secrets: SecretScan,
  contentFilter: ContentFilter,
): ContentFilterDenial | undefined {
  // First of all denials: no other one's pointer may then hold a secret.
  const echo = findSecretEcho({ data }, secrets);
  if (echo !== undefined) return { ruleId: secretEchoRule, pointer: echo };
  // The filter reads a step's every text: the data is read in the place of one.
  const { denial } = contentFilter({ step: data });
  return denial === undefined ? undefined : { ...denial, pointer: denial.pointer.replace(/^\/step/, '/data') };
}

async function filterElsewhere(
  queue: ValidationQueue,
  asker: Asker,
  work: KeptWork,
): Promise<RouteRefusal | undefined> {
  const outcome = await queue.run(asker, work);
  if (outcome === 'crowded' || outcome === 'died') return refused('unavailable', 'The data could not be checked now.');
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
