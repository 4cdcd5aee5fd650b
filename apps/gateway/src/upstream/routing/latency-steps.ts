/** The bins of a histogram of latencies, each a fourth of a doubling wide: from half a millisecond to 220 seconds, which is more than a call's longest time. */

export const steps = 76;
const stepsPerDoubling = 4;
const firstStepMs = 0.5;

export function stepOf(ms: number): number {
  if (!(ms > firstStepMs)) return 0;
  return Math.min(steps - 1, Math.ceil(Math.log2(ms / firstStepMs) * stepsPerDoubling));
}

/** Its longest time, inclusive. */
export function endOf(step: number): number {
  return firstStepMs * 2 ** (step / stepsPerDoubling);
}

/** At most 10 % from every time in the step; of the first step, which is open below, the end. */
export function middleOf(step: number): number {
  return step === 0 ? firstStepMs : endOf(step - 0.5);
}
