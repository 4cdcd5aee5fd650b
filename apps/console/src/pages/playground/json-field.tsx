/** Text field for a JSON value. Invalid text remains in the field and does not change the value. */
import { useState } from 'react';
import { Field, TextArea } from '../../components/field.tsx';
import { lossyNumber } from './exact-json.ts';

export type JsonFieldProps = {
  readonly label: string;
  readonly hint?: string;
  readonly optional?: boolean;
  /** A problem of the value, shown in addition to syntax errors. */
  readonly problem?: string | undefined;
  readonly rows?: number;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  /** Called with the syntax error, or undefined when the text parses. */
  readonly onProblem?: (problem: string | undefined) => void;
};

const written = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value, null, 2));

export function JsonField({
  label,
  hint,
  optional = false,
  rows = 2,
  value,
  onChange,
  onProblem,
  ...rest
}: JsonFieldProps) {
  const [typed, setTyped] = useState({ text: written(value), value });
  // The value was changed by the form or by another call.
  const text = JSON.stringify(typed.value) === JSON.stringify(value) ? typed.text : written(value);
  const problem = rest.problem ?? jsonProblem(text, optional);
  return (
    <Field label={label} optional={optional} problem={problem} {...(hint !== undefined && { hint })}>
      {(control) => (
        <TextArea
          {...control}
          rows={rows}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          className="font-mono text-sm!"
          value={text}
          onChange={({ target }) => {
            const now = jsonProblem(target.value, optional);
            onProblem?.(now);
            if (now !== undefined) return setTyped({ text: target.value, value });
            const parsed: unknown = target.value.trim() === '' ? undefined : JSON.parse(target.value);
            setTyped({ text: target.value, value: parsed });
            onChange(parsed);
          }}
        />
      )}
    </Field>
  );
}

export function jsonProblem(text: string, optional: boolean): string | undefined {
  if (text.trim() === '') return optional ? undefined : 'Enter JSON.';
  try {
    JSON.parse(text);
  } catch (error) {
    return error instanceof Error ? `This is not valid JSON yet: ${error.message}` : 'This is not valid JSON yet.';
  }
  const lossy = lossyNumber(text);
  return lossy === undefined ? undefined : `The number ${lossy} cannot be sent exactly. Enter it as text.`;
}
