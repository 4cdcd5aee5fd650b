/** The bins of a latency histogram. Each is a quarter of a doubling wide; they cover 0.5 ms to 220 s, more than the maximum time of a call. */

export const steps = 76;
const stepsPerDoubling = 4;
const firstStepMs = 0.5;

export function stepOf(ms: number): number {
  if (!(ms > firstStepMs)) return 0;
  return Math.min(steps - 1, Math.ceil(Math.log2(ms / firstStepMs) * stepsPerDoubling));
}

/** The inclusive upper bound of a step. */
export function endOf(step: number): number {
  return firstStepMs * 2 ** (step / stepsPerDoubling);
}

/** At most 10 % from each time in the step. For the first step, which has no lower bound, its upper bound. */
export function middleOf(step: number): number {
  return step === 0 ? firstStepMs : endOf(step - 0.5);
}
