/** Paths of required parameters that are empty: `0`, `1.to`. */
import type { Parameter } from './method-table.ts';

export function missingParams(parameters: readonly Parameter[], params: readonly unknown[]): ReadonlySet<string> {
  return new Set(parameters.flatMap((parameter, at) => missingIn(parameter, params[at], String(at))));
}

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

function missingIn({ form, required }: Parameter, value: unknown, path: string): readonly string[] {
  if (form.kind === 'object') {
    if (!required && isEmpty(value)) return [];
    const object = typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
    return form.members.flatMap((member) => missingIn(member, object[member.name], `${path}.${member.name}`));
  }
  // An empty list may be intended.
  const isFilled = form.kind === 'list' ? value !== undefined && value !== null : !isEmpty(value);
  return required && form.kind !== 'boolean' && !isFilled ? [path] : [];
}
