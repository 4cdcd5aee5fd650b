/** Runs the operator's classifier after the content filter, on responses of apps and on app data that a query shows (contract/flow-apps#classifier). */

import { refused } from '@flowgate/base/result';
import { final, retryable } from '@flowgate/flow-format/app-responses/app-failure';
import type { CheckedResponse } from '@flowgate/flow-format/app-responses/checked-response';
import type { ClassifyTexts } from '../classifier/classify-texts.ts';
import type { FilterAppData } from './filter-app-data.ts';
import type { ReadResponse } from './read-large-responses.ts';

const busy = 'too many answers of this app are being classified';
const unclassified = "the app's answer could not be classified";
const tooLarge = "the app's answer has more text than can be classified";

/** Returns `readResponse` unchanged without a classifier. */
export function classifiedReadResponse(readResponse: ReadResponse, classify: ClassifyTexts | undefined): ReadResponse {
  if (classify === undefined) return readResponse;
  return async (asker, response) => {
    const reading = await readResponse(asker, response);
    if (!reading.ok) return reading;
    const found = await classify(asker, shownOf(reading.checked));
    if (found.kind === 'allowed') return reading;
    if (found.kind === 'busy') return retryable(busy);
    if (found.kind === 'unclassified') return found.tooLarge ? final(tooLarge) : retryable(unclassified);
    return final(`content-filter rule ${found.ruleId} rejected text at ${found.pointer}`);
  };
}

/** What people and agents see of a response. Warnings are the gateway's own. */
function shownOf(checked: CheckedResponse): unknown {
  if (checked.kind === 'rejected') return { errors: checked.errors };
  if (checked.kind === 'invalid') return {};
  const { step, events } = checked.response;
  const { warnings: _, ...own } = step;
  return { step: own, events };
}

/** Returns `filterAppData` unchanged without a classifier. */
export function classifiedFilterAppData(
  filterAppData: FilterAppData,
  classify: ClassifyTexts | undefined,
): FilterAppData {
  if (classify === undefined) return filterAppData;
  return async (asker, shown) => {
    const denied = await filterAppData(asker, shown);
    if (denied !== undefined) return denied;
    const found = await classify(asker, { data: shown.data });
    if (found.kind === 'allowed') return undefined;
    if (found.kind === 'busy')
      return refused('unavailable', 'Too much data of this app is being classified; try again later.');
    if (found.kind === 'refused')
      return {
        ...refused('bad-gateway', `content-filter rule ${found.ruleId} rejected text at ${found.pointer}`),
        retryable: false,
      };
    return found.tooLarge
      ? { ...refused('bad-gateway', "The app's data has more text than can be classified."), retryable: false }
      : refused('unavailable', 'The data could not be classified; try again later.');
  };
}
