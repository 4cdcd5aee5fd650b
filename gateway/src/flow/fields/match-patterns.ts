/** Whether what was submitted matches the patterns of its fields: at once where that is sure to be quick, otherwise in the reading thread (decisions 8, Fields). */

import type { RouteRefusal } from '../../access/route.ts';
import { refused } from '../../platform/result.ts';
import type { ReadingTurns } from '../answers/reading-turns.ts';
import { mostPatternMs, type PatternedText, patternProblem } from './field-pattern.ts';

/** Undefined when all do. `appId`: whose patterns they are. Never throws because of them. */
export type MatchPatterns = (
  appId: string,
  texts: readonly PatternedText[],
) => RouteRefusal | undefined | Promise<RouteRefusal | undefined>;

/** By an estimate that no pattern exceeds, and most keep far below. */
export const mostMsAtOnce = 10;

export function matchPatternsBy(turns: ReadingTurns): MatchPatterns {
  return (appId, patterned) =>
    mostPatternMs(patterned) <= mostMsAtOnce ? matchAtOnce(patterned) : matchElsewhere(turns, appId, patterned);
}

function matchAtOnce(texts: readonly PatternedText[]): RouteRefusal | undefined {
  const problem = patternProblem(texts);
  return problem === undefined ? undefined : refused('bad-request', problem);
}

async function matchElsewhere(
  turns: ReadingTurns,
  appId: string,
  patterned: readonly PatternedText[],
): Promise<RouteRefusal | undefined> {
  const outcome = await turns.run(appId, { patterned });
  if (outcome === 'crowded') return refused('unavailable', 'Too many submissions are being checked.');
  if (outcome === 'late')
    return { ...refused('bad-gateway', "The patterns of the app's step take too long."), retryable: false };
  if (outcome === 'died') return refused('unavailable', 'The submission could not be checked.');
  const problem: string | null = JSON.parse(outcome.result);
  return problem === null ? undefined : refused('bad-request', problem);
}
