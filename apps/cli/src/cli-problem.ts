/** The error of a command: a sentence for the user, and the exit code. */

/** `failed`: any other problem than a refusal, wrong usage or an unreachable gateway, such as a file that cannot be written. */
export type ProblemKind = 'refused' | 'usage' | 'unreachable' | 'failed' | 'interrupted';

export const exitCodes: Readonly<Record<ProblemKind, number>> = {
  refused: 1,
  failed: 1,
  usage: 2,
  unreachable: 3,
  /** 128 plus the number of SIGINT, as in shells. */
  interrupted: 130,
};

/** The message is shown to the user without a stack trace and contains no secret. An empty message: the command has already printed the problem. */
export class CliProblem extends Error {
  override readonly name = 'CliProblem';
  readonly kind: ProblemKind;
  /** What the user can do; shown on a separate line. */
  readonly advice: string | undefined;

  constructor(kind: ProblemKind, message: string, advice?: string) {
    super(message);
    this.kind = kind;
    this.advice = advice;
  }
}
