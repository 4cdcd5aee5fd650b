/** Converts typed text into a field's value (contract/sessions#fields). The gateway validates it; only texts without a value are refused here. */

import type { Field } from '@flowgate/client';

export type FieldInput =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: string };

/** An empty text means no value: `undefined`. */
export function fieldInput({ type, options }: Pick<Field, 'type' | 'options'>, text: string): FieldInput {
  const value = (value: unknown): FieldInput => ({ ok: true, value });
  const problem = (problem: string): FieldInput => ({ ok: false, problem });
  if (text === '') return value(undefined);
  switch (type) {
    case 'number': {
      const number = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d{1,3})?$/i.test(text) ? Number(text) : Number.NaN;
      return Number.isFinite(number) ? value(number) : problem('must be a number');
    }
    case 'boolean':
      if (/^(?:true|yes|y)$/i.test(text)) return value(true);
      return /^(?:false|no|n)$/i.test(text) ? value(false) : problem('must be true or false');
    case 'json':
      return parsed(text) ?? problem('must be JSON');
    case 'multiselect': {
      const list = text.startsWith('[') ? parsed(text) : value(text.split(',').map((each) => each.trim()));
      return list?.ok === true && Array.isArray(list.value) ? list : problem('must be options, separated by commas');
    }
    case 'select': {
      const chosen = options?.some((option) => option.value === text) === true;
      return chosen
        ? value(text)
        : problem(
            `must be one of ${(options ?? [])
              .slice(0, 20)
              .map((option) => option.value)
              .join(', ')}`,
          );
    }
    default:
      return value(text);
  }
}

function parsed(text: string): FieldInput | undefined {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** `30 to 50 characters`, `0 or more`, for the terminal; empty without bounds. */
export function boundsOf({ min, max, type }: Field): string {
  const unit = type === 'text' || type === 'secret' ? ' characters' : '';
  if (min !== undefined && max !== undefined) return `${min} to ${max}${unit}`;
  if (min !== undefined) return `${min}${unit} or more`;
  return max === undefined ? '' : `at most ${max}${unit}`;
}
