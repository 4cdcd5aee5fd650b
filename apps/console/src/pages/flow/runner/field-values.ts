/** Converts input of a step's fields to submitted values (contract/sessions#fields). The gateway validates the rules; this only rejects values that cannot be sent as typed. */
import { visibleFields } from '@flowgate/client/flow';
import type { Field, FieldType, JsonMembers } from '@flowgate/client/flow-wire';
import { exactNumber, inexactNumberIn } from './exact-number.ts';

/** Text, checkbox state or selected values; undefined: left out. */
export type Typed = string | boolean | readonly string[] | undefined;
export type TypedValues = Readonly<Record<string, Typed>>;

export type FieldProblem = { readonly fieldId?: string; readonly message: string };

/** Types that are not stored with the draft. */
const fleeting: readonly FieldType[] = ['secret', 'signature', 'signedTransaction'];
export const isFleeting = ({ type }: Field): boolean => fleeting.includes(type);

/** The app's suggested value as input text. */
export function suggested({ type, value }: Field): Typed {
  if (value === undefined || value === null) return undefined;
  if (type === 'json') return JSON.stringify(value, undefined, 2);
  if (type === 'boolean') return value === true;
  if (type === 'multiselect') return Array.isArray(value) ? value.filter(isText) : undefined;
  return isText(value) || typeof value === 'number' ? String(value) : undefined;
}

export const typedOf = (field: Field, typed: TypedValues): Typed =>
  Object.hasOwn(typed, field.fieldId) ? typed[field.fieldId] : suggested(field);

export type Submittable = { readonly values: JsonMembers; readonly problems: readonly FieldProblem[] };

/** Without `isChecked`, values that cannot be sent are left out. */
export function submittable(fields: readonly Field[], typed: TypedValues, isChecked: boolean): Submittable {
  const values: [string, unknown][] = [];
  const problems: FieldProblem[] = [];
  for (const field of fields) {
    const { fieldId } = field;
    const read = wireValue(field, typedOf(field, typed));
    if ('problem' in read) {
      if (isChecked) problems.push({ fieldId, message: read.problem });
    } else if (read.value !== undefined) values.push([fieldId, read.value]);
  }
  const shown = new Set(shownFields(fields, typed).map(({ fieldId }) => fieldId));
  return {
    values: Object.fromEntries(values.filter(([fieldId]) => shown.has(fieldId))),
    problems: problems.filter(({ fieldId }) => fieldId === undefined || shown.has(fieldId)),
  };
}

/** The fields that are visible for the current input; others are neither shown nor sent. */
export function shownFields(fields: readonly Field[], typed: TypedValues): readonly Field[] {
  const values = fields.flatMap((field) => {
    const read = wireValue(field, typedOf(field, typed));
    return 'problem' in read ? [] : [[field.fieldId, read.value] as const];
  });
  return visibleFields(fields, Object.fromEntries(values));
}

type Read = { readonly value: unknown } | { readonly problem: string };

function wireValue({ type, required = false }: Field, typed: Typed): Read {
  if (type === 'boolean') return { value: typed ?? (required ? false : undefined) };
  if (type === 'select' || type === 'multiselect') return { value: typed };
  if (!isText(typed) || typed === '') return { value: undefined };
  if (type === 'text' || type === 'secret') return { value: typed };
  const text = typed.trim();
  if (type === 'number') return numberOf(text);
  if (type === 'json') return jsonOf(text);
  return { value: text };
}

function numberOf(text: string): Read {
  const value = exactNumber(text);
  if (value !== undefined) return { value };
  return {
    problem: Number.isFinite(Number(text))
      ? 'Enter this number with fewer digits and no extra zeros. It cannot be sent exactly.'
      : 'This must be a number, such as 12 or -0.5.',
  };
}

function jsonOf(text: string): Read {
  try {
    const value: unknown = JSON.parse(text);
    const changed = inexactNumberIn(text);
    return changed === undefined
      ? { value }
      : { problem: `The number ${changed.slice(0, 40)} cannot be sent exactly. Enter it as text, in quotes.` };
  } catch (error) {
    return { problem: `This is not valid JSON. ${error instanceof Error ? error.message : ''}` };
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Gateway messages continue a sentence about the field; app messages are complete sentences. */
export function sentence(message: string): string {
  if (!/^[a-z]/.test(message)) return message;
  return `This ${message}${/[.!?]$/.test(message) ? '' : '.'}`;
}
