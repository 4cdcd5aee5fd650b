/** A group of checkboxes for choosing several options. */
import { useId } from 'react';
import { Checkbox } from './field.tsx';

export type ChoiceGroupProps = {
  readonly label: string;
  readonly hint?: string;
  readonly problem?: string | undefined;
  readonly choices: readonly (readonly [id: string, title: string])[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
  readonly empty?: string;
};

export function ChoiceGroup({ label, hint, problem, choices, chosen, onChange, empty }: ChoiceGroupProps) {
  const id = useId();
  const note = problem ?? hint;
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5" aria-describedby={note === undefined ? undefined : id}>
      <legend className="mb-1.5 text-sm font-medium">{label}</legend>
      {choices.length === 0 && <p className="text-sm text-soft">{empty}</p>}
      {choices.length > 0 && (
        <div className="grid max-h-44 gap-1.5 overflow-y-auto rounded-md border border-line-strong px-3 py-2.5">
          {choices.map(([value, title]) => (
            <Checkbox
              key={value}
              label={<span className="wrap-anywhere">{title}</span>}
              checked={chosen.includes(value)}
              aria-invalid={problem === undefined ? undefined : true}
              onChange={({ target }) =>
                onChange(target.checked ? [...chosen, value] : chosen.filter((each) => each !== value))
              }
            />
          ))}
        </div>
      )}
      {note !== undefined && (
        <p id={id} className={`text-xs wrap-anywhere ${problem === undefined ? 'text-faint' : 'text-bad'}`}>
          {note}
        </p>
      )}
    </fieldset>
  );
}
