/** How a command ends when it cannot do what it was asked for: a sentence, and the exit code. */

/** `failed` is everything that is no refusal, no misuse and no missing gateway, such as a file that cannot be written. */
export type ProblemKind = 'refused' | 'usage' | 'unreachable' | 'failed' | 'interrupted';

export const exitCodes: Readonly<Record<ProblemKind, number>> = {
  refused: 1,
  failed: 1,
  usage: 2,
  unreachable: 3,
  /** 128 and the number of SIGINT, as shells have it. */
  interrupted: 130,
};

/** Its message is shown to the person, without a stack trace; it holds no secret. An empty one says that everything is told already. */
export class CliProblem extends Error {
  override readonly name = 'CliProblem';
  readonly kind: ProblemKind;
  /** What to do about it, on a line of its own. */
  readonly advice: string | undefined;

  constructor(kind: ProblemKind, message: string, advice?: string) {
    super(message);
    this.kind = kind;
    this.advice = advice;
  }
}
