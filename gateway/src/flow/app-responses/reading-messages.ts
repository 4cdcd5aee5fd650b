/** What the gateway and its reading thread say to each other. */

import type { ContentFilterOptions } from '../content-filter/content-filter-rules.ts';
import type { PatternedText } from '../fields/field-pattern.ts';
import type { AppAnswer } from './read-answer.ts';
import type { SecretScan } from './secret-mark.ts';

/** One thing that the thread is to do; it does one at a time. */
export type ReadingWork = { readonly answer: AppAnswer } | { readonly patterned: readonly PatternedText[] } | KeptWork;

/** JSON text of app data that is to be shown, and what must not be in it. */
export type KeptWork = { readonly kept: string; readonly secrets: SecretScan };

export type ToReader = { readonly settings: ContentFilterOptions } | ReadingWork;

/** `result`: JSON text, of an `AnswerReading`, of the patterns' problems, or of the filter's denial or null. Cloned as objects, large answers would cost the event loop ten times what parsing them does. */
export type FromReader = 'ready' | { readonly result: string };
