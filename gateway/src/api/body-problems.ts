/** All that is wrong with what somebody sent, in one refusal (contract/flow-apps): a sentence that names everything, and the list for programs. */

import { type Ok, type Refused, refused } from '../platform/result.ts';

/** `fieldId`: a field of the step, which `message` then does not name. Otherwise `message` is a whole sentence. Neither holds a value. */
export type BodyProblem = { readonly fieldId?: string; readonly message: string };

export type BodyRefusal = Refused<'bad-request'> & {
  readonly members: { readonly errors: readonly BodyProblem[] };
};

/** A form has no more fields that somebody reads about, and whoever sends rubbish is not told of each piece. */
export const mostProblems = 50;

/** `problems` is not empty. Those beyond `mostProblems` are counted only. */
export function refusedFor(problems: readonly BodyProblem[]): BodyRefusal {
  const errors = problems.slice(0, mostProblems);
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

/** What is wrong with a header, and then with the body that came with it. */
export function withProblems({ detail }: Refused<'bad-request'>, body: Ok<unknown> | BodyRefusal): BodyRefusal {
  const problems = body.ok ? [] : body.members.errors;
  return refusedFor([...(detail === undefined ? [] : [{ message: detail }]), ...problems]);
}
