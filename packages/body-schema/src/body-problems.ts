/**
 * All problems of a request in one refusal (contract/flow-apps): a sentence that names them all, and the list for
 * programs.
 */

import { type Ok, type Refused, refused } from '@flowgate/base/result';

/**
 * `fieldId`: a field of the step, which `message` then does not name. Otherwise `message` is a whole sentence. Neither
 * contains a submitted value.
 */
export type BodyProblem = { readonly fieldId?: string; readonly message: string };

export type BodyRefusal = Refused<'bad-request'> & {
  readonly members: { readonly errors: readonly BodyProblem[] };
};

/** A reader needs no more, and an invalid body is not reported element by element. */
export const maxProblems = 50;

/** `problems` is not empty. Those beyond `maxProblems` are only counted. */
export function refusedFor(problems: readonly BodyProblem[]): BodyRefusal {
  const errors = problems.slice(0, maxProblems);
  const more = problems.length - errors.length;
  const sentences = errors.map(({ fieldId, message }) =>
    fieldId === undefined ? message : `field ${fieldId} ${message}`,
  );
  const detail = [...sentences, ...(more === 0 ? [] : [`and ${more} more`])].join('; ');
  return { ...refused('bad-request', detail), members: { errors } };
}

export function refusedForOne(message: string): BodyRefusal {
  return refusedFor([{ message }]);
}

/** The problems of a header, followed by those of the body of the same request. */
export function withProblems({ detail }: Refused<'bad-request'>, body: Ok<unknown> | BodyRefusal): BodyRefusal {
  const problems = body.ok ? [] : body.members.errors;
  return refusedFor([...(detail === undefined ? [] : [{ message: detail }]), ...problems]);
}
