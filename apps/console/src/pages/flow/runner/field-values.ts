/** What is typed into a step's fields, and the values that a submission takes (contract/sessions#fields). The gateway checks the rules; here is only what would not get there as it is meant. */
import { visibleFields } from '@flowgate/client/flow';
import type { Field, FieldType, JsonMembers } from '@flowgate/client/flow-wire';
import { exactNumber, inexactNumberIn } from './exact-number.ts';

/** Texts as they are typed, ticks, and the values of chosen options; undefined: left out. */
export type Typed = string | boolean | readonly string[] | undefined;
export type TypedValues = Readonly<Record<string, Typed>>;

export type FieldProblem = { readonly fieldId?: string; readonly message: string };

/** Not kept in the tab with a draft. */
const fleeting: readonly FieldType[] = ['secret', 'signature', 'signedTransaction'];
export const isFleeting = ({ type }: Field): boolean => fleeting.includes(type);

/** The value that the app suggests, as it would be typed. */
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

/** Without `isChecked`, what cannot be sent is left out. */
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

/** Those that are visible by what is typed; others are neither shown nor sent. */
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

/** The gateway's messages are the rest of a sentence about the field; an app's are sentences. */
export function sentence(message: string): string {
  if (!/^[a-z]/.test(message)) return message;
  return `This ${message}${/[.!?]$/.test(message) ? '' : '.'}`;
}
