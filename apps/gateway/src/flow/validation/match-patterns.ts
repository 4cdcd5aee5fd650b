/** Matches submitted values against the patterns of their fields: synchronously if that is certainly quick, otherwise in the validation worker (contract/sessions#fields). */

import { refused } from '@flowgate/base/result';
import type { BodyProblem } from '@flowgate/body-schema/body-problems';
import { maxPatternMs, type PatternedText, patternProblems } from '@flowgate/flow-format/fields/field-pattern';
import type { RouteRefusal } from '../../api/route.ts';
import type { Asker } from './asker-queue.ts';
import type { ValidationQueue } from './validation-queue.ts';

/** The values that do not match, or a refusal if they could not be checked. */
export type PatternFinding = readonly BodyProblem[] | RouteRefusal;

/** `asker`: the user who submits the values, and the app. Never throws because of the values. */
export type MatchPatterns = (asker: Asker, texts: readonly PatternedText[]) => PatternFinding | Promise<PatternFinding>;

/** Compared with an upper bound of milliseconds; most patterns take far less. */
export const maxMsAtOnce = 10;

export function matchPatternsBy(queue: ValidationQueue): MatchPatterns {
  return (asker, patterned) =>
    maxPatternMs(patterned) <= maxMsAtOnce ? patternProblems(patterned) : matchElsewhere(queue, asker, patterned);
}

async function matchElsewhere(
  queue: ValidationQueue,
  asker: Asker,
  patterned: readonly PatternedText[],
): Promise<PatternFinding> {
  const outcome = await queue.run(asker, { patterned });
  if (outcome === 'crowded') return refused('unavailable', 'Too many submissions are being checked; try again later.');
  if (outcome === 'late')
    return { ...refused('bad-gateway', "Matching the patterns of the app's step took too long."), retryable: false };
  if (outcome === 'died') return refused('unavailable', 'The submission could not be checked; try again later.');
  const problems: readonly BodyProblem[] = JSON.parse(outcome.result);
  return problems;
}
