/** Polls a waiting step, with growing intervals. */

import { setTimeout as timer } from 'node:timers/promises';
import type { WaitAsked } from '@flowgate/client/flow';
import { CliProblem } from '../cli-problem.ts';
import type { Walk } from './walk.ts';

/** A session is read at most 20 times in its first minute; the gateway allows 60. */
const maxPauseMs = 5_000;
const firstPauseMs = 300;

/** `false`: the user chooses the next action. */
export async function waitFor(
  { cli, prompts, options, report }: Walk,
  { session, rounds }: WaitAsked,
): Promise<boolean> {
  const { title, description } = session.currentStep;
  const { signal } = cli.runtime;
  const pauseMs = Math.min(maxPauseMs, firstPauseMs * rounds);
  if (waitedMs(rounds) > options.wait * 1_000) {
    if (prompts === undefined)
      throw new CliProblem(
        'failed',
        `${title}: still so after ${options.wait} seconds`,
        `flowgate flow run --session ${session.sessionId}`,
      );
    return false;
  }
  await report({
    type: 'waiting',
    sessionId: session.sessionId,
    stateVersion: session.stateVersion,
    step: session.currentStep,
  });
  if (prompts !== undefined) prompts.say(`${title}\n${description ?? ''}`.trimEnd(), 'info');
  await timer(pauseMs, undefined, { signal });
  return true;
}

function waitedMs(rounds: number): number {
  let sum = 0;
  for (let round = 1; round < rounds; round++) sum += Math.min(maxPauseMs, firstPauseMs * round);
  return sum;
}
