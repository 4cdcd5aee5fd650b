/** An error in an app itself, for its author. */

/**
 * The app made an error that no retry solves: its step violates the contract, or it has no handler for something it declares. The gateway gets 422, which is
 * final; these sentences are for the author only.
 */
export class FlowAppError extends Error {
  override readonly name = 'FlowAppError';
  /** Each problem as a sentence; one about a part of the answer begins with a JSON pointer (RFC 6901). At most 20. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    const shown = problems.slice(0, maxProblems);
    super(shown.length === 1 ? shown[0] : `${problems.length} problems:\n  ${shown.join('\n  ')}`);
    this.problems = shown;
  }
}

const maxProblems = 20;
