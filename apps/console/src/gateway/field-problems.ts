/** A refused body's problems, each at the field that it names (contract/errors#problemdetails). */
import { FlowgateError } from '@flowgate/client';

export type FieldProblems<Field extends string> = {
  readonly at: Partial<Readonly<Record<Field, string>>>;
  /** Whether the error has anything to say beyond the fields. */
  readonly isElsewhere: boolean;
};

/** Undefined, or an error that is no refused body: nothing is at a field. The gateway names the member first, and separates problems by semicolons. */
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

/** `must have no query` → `It must have no query.` */
function sentenceOf(problem: string): string {
  return `This ${problem}${/[.!?]$/.test(problem) ? '' : '.'}`;
}
