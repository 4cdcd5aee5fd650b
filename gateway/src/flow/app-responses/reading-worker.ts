/** The thread in which large answers of apps are read, so that no app's author can stop the event loop that serves everybody else. */

import { type ContentFilter, createContentFilter } from '../content-filter/content-filter.ts';
import { patternProblems } from '../fields/field-pattern.ts';
import { keptDenial } from './filter-kept-data.ts';
import { readAnswer } from './read-answer.ts';
import type { FromReader, ToReader } from './reading-thread.ts';

declare const self: Worker;

let contentFilter: ContentFilter;

function tell(message: FromReader): void {
  self.postMessage(message);
}

self.onmessage = ({ data }: MessageEvent<ToReader>) => {
  if ('settings' in data) {
    contentFilter = createContentFilter(data.settings);
    tell('ready');
  } else if ('answer' in data) tell({ result: JSON.stringify(readAnswer(data.answer, contentFilter)) });
  else if ('kept' in data)
    tell({ result: JSON.stringify(keptDenial(JSON.parse(data.kept), data.secrets, contentFilter) ?? null) });
  else tell({ result: JSON.stringify(patternProblems(data.patterned)) });
};
