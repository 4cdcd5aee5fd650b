/** The worker that reads large app responses and matches expensive patterns, so that no app's author can block the event loop that serves all other requests. */

import { type ContentFilter, createContentFilter, createTables } from '@flowgate/content-filter/content-filter';
import { readResponse } from '@flowgate/flow-format/app-responses/read-response';
import { patternProblems } from '@flowgate/flow-format/fields/field-pattern';
import { appDataDenial } from './filter-app-data.ts';
import type { FromWorker, ToWorker } from './worker-runner.ts';

declare const self: Worker;

let contentFilter: ContentFilter;

function report(message: FromWorker): void {
  self.postMessage(message);
}

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  if ('settings' in data) {
    contentFilter = createContentFilter(data.settings);
    // The time for the first response begins when the worker is ready.
    createTables(contentFilter);
    report('ready');
  } else if ('response' in data) report({ result: JSON.stringify(readResponse(data.response, contentFilter)) });
  else if ('appData' in data)
    report({
      result: JSON.stringify(appDataDenial({ ...data, data: JSON.parse(data.appData) }, contentFilter) ?? null),
    });
  else report({ result: JSON.stringify(patternProblems(data.patterned)) });
};
