/** What is wrong with an app itself, for its author. */

/**
 * The app did what no retry mends: it answered a step that the contract forbids, or has no answer for what it declared. The gateway gets 422, which it calls final; these sentences
 * stay with the author.
 */
export class FlowAppError extends Error {
  override readonly name = 'FlowAppError';
  /** Each problem, as a sentence that begins with a JSON pointer (RFC 6901) into the answer where it is about one. At most 20. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    const shown = problems.slice(0, maxProblems);
    super(shown.length === 1 ? shown[0] : `${problems.length} problems:\n  ${shown.join('\n  ')}`);
    this.problems = shown;
  }
}

const maxProblems = 20;
