/** Maps the problems of a 400 response to form fields (contract/errors#problemdetails). */
import { FlowgateError } from '@flowgate/client';

export type FieldProblems<Field extends string> = {
  readonly at: Partial<Readonly<Record<Field, string>>>;
  /** True when a problem belongs to no field. */
  readonly isElsewhere: boolean;
};

/** Errors other than 400 belong to no field. The gateway puts the member's name first and separates problems with semicolons. */
export function fieldProblems<Field extends string>(error: unknown, fields: readonly Field[]): FieldProblems<Field> {
  if (error === undefined) return { at: {}, isElsewhere: false };
  if (!(error instanceof FlowgateError) || error.status !== 400) return { at: {}, isElsewhere: true };
  const at: Partial<Record<Field, string>> = {};
  let isElsewhere = false;
  for (const problem of error.message.split('; ')) {
    const field = fields.find((each) => problem.startsWith(`${each} `));
    if (field === undefined) isElsewhere = true;
    else at[field] = [at[field], sentenceOf(problem.slice(field.length + 1))].filter(Boolean).join(' ');
  }
  return { at, isElsewhere };
}

/** `must have no query` → `This must have no query.` */
function sentenceOf(problem: string): string {
  return `This ${problem}${/[.!?]$/.test(problem) ? '' : '.'}`;
}
