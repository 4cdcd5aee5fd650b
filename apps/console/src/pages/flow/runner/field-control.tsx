/** The control of each field type (contract/sessions#fields). App texts are shown literally: no markup, no links. */
import type { Field as StepField } from '@flowgate/client/flow-wire';
import { type ReactNode, useId, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Checkbox, Field, Select, TextArea, TextInput } from '../../../components/field.tsx';
import { Eye, EyeOff } from '../../../components/icons.tsx';
import { hintOf, longHelp } from './field-hint.tsx';
import type { Typed } from './field-values.ts';

export type FieldControlProps = {
  readonly field: StepField;
  readonly value: Typed;
  readonly problem: string | undefined;
  readonly disabled: boolean;
  readonly onChange: (value: Typed) => void;
  /** Shown next to the label; for example a button that fills in the wallet's address. */
  readonly aid?: ReactNode;
};

export function FieldControl(props: FieldControlProps) {
  const { field, problem } = props;
  if (field.type === 'boolean') return <Tick {...props} />;
  if (field.type === 'multiselect') return <Choices {...props} />;
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <Field label={field.label} hint={hintOf(field)} problem={problem} optional={field.required !== true}>
        {(control) => <Control {...props} control={control} />}
      </Field>
      <WholeHelp of={field} />
      <Pattern of={field} />
      {props.aid}
    </div>
  );
}

function WholeHelp({ of: { help = '' } }: { readonly of: StepField }) {
  if (help.length <= longHelp) return null;
  return (
    <details className="text-xs text-faint">
      <summary className="w-fit">Show all</summary>
      <p dir="auto" className="mt-1 whitespace-pre-line wrap-anywhere">
        {help}
      </p>
    </details>
  );
}

/** The field's regular expression, collapsed. */
function Pattern({ of: { pattern } }: { readonly of: StepField }) {
  if (pattern === undefined) return null;
  return (
    <details className="text-xs text-faint">
      <summary className="w-fit">Format</summary>
      <code className="mt-1 block text-xs! wrap-anywhere">{pattern}</code>
    </details>
  );
}

type ChoiceProps = Pick<FieldControlProps, 'field' | 'value' | 'disabled' | 'onChange'> & {
  readonly control: ControlIds;
};

type ControlIds = { readonly id: string; readonly 'aria-describedby': string | undefined };

/** Maximum length, in characters, of a single-line text field. */
const maxLineLength = 200;

function Control({
  field,
  value,
  disabled,
  onChange,
  control,
}: FieldControlProps & { readonly control: ControlIds }): ReactNode {
  const { type, min, max, required } = field;
  const text = typeof value === 'string' ? value : '';
  const shared = {
    ...control,
    disabled,
    'aria-required': required === true ? (true as const) : undefined,
    spellCheck: false,
    autoComplete: 'off',
    value: text,
    onChange: ({ target }: { readonly target: { readonly value: string } }) => onChange(target.value),
  };
  switch (type) {
    case 'select':
      return <Choice {...{ field, value, disabled, onChange, control }} />;
    case 'number':
    case 'amount':
      return <TextInput {...shared} inputMode={type === 'amount' || isWhole(field) ? 'decimal' : 'text'} />;
    case 'date':
      return <TextInput {...shared} type="date" min={min} max={max ?? '9999-12-31'} className="sm:w-52" />;
    case 'address':
    case 'txHash':
      return <TextInput {...shared} placeholder="0x…" className="font-mono" />;
    case 'signature':
    case 'signedTransaction':
      return <TextArea {...shared} rows={3} placeholder="0x…" className="max-h-60 font-mono break-all" />;
    case 'json':
      return <TextArea {...shared} rows={5} className="max-h-96 font-mono" />;
    case 'secret':
      return <Secret {...shared} />;
    default:
      return text.includes('\n') || text.length > maxLineLength || Number(max ?? 0) > maxLineLength ? (
        <TextArea {...shared} dir="auto" rows={4} className="max-h-96" />
      ) : (
        <TextInput {...shared} dir="auto" />
      );
  }
}

/** Numeric keyboards of phones may lack a minus sign. */
const isWhole = ({ min }: StepField): boolean => min !== undefined && Number(min) >= 0;

/** Options are identified by index, because a value may be any text, including the empty one. */
function Choice({ field, value, disabled, onChange, control }: ChoiceProps) {
  const { options = [], required } = field;
  const at = options.findIndex((option) => option.value === value);
  return (
    <Select
      {...control}
      disabled={disabled}
      aria-required={required === true ? true : undefined}
      value={String(at)}
      onChange={({ target }) => onChange(options[Number(target.value)]?.value)}
      className="truncate"
    >
      {(required !== true || at < 0) && <option value="-1">{required === true ? 'Choose…' : 'None'}</option>}
      {options.map((option, place) => (
        <option key={option.value} value={String(place)}>
          {option.label}
        </option>
      ))}
    </Select>
  );
}

function Secret(props: React.ComponentProps<'input'>) {
  const [isShown, setShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <div className="relative">
      <TextInput
        {...props}
        type={isShown ? 'text' : 'password'}
        autoComplete="one-time-code"
        className="pr-11 font-mono"
      />
      <Button
        tone="quiet"
        size="icon"
        aria-label={isShown ? 'Hide value' : 'Show value'}
        className="absolute top-0 right-0"
        onClick={() => setShown(!isShown)}
      >
        <Icon aria-hidden="true" className="size-4" />
      </Button>
    </div>
  );
}

function Tick({ field, value, problem, disabled, onChange }: FieldControlProps) {
  const id = useId();
  const note = problem ?? hintOf(field);
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <Checkbox
        label={
          <span dir="auto" className="wrap-anywhere">
            {field.label}
          </span>
        }
        checked={value === true}
        disabled={disabled}
        aria-describedby={note === undefined ? undefined : id}
        aria-invalid={problem === undefined ? undefined : true}
        onChange={({ target }) => onChange(target.checked)}
      />
      {note !== undefined && (
        <div id={id} className={`pl-7 text-xs wrap-anywhere ${problem === undefined ? 'text-faint' : 'text-bad'}`}>
          {note}
        </div>
      )}
    </div>
  );
}

function Choices({ field, value, problem, disabled, onChange }: FieldControlProps) {
  const id = useId();
  const note = problem ?? hintOf(field);
  const chosen: readonly string[] = Array.isArray(value) ? value : [];
  const { options = [], label, required } = field;
  return (
    <fieldset className="min-w-0" aria-describedby={note === undefined ? undefined : id}>
      <legend className="mb-1.5 flex items-baseline gap-2 text-sm font-medium">
        <span dir="auto" className="min-w-0 wrap-anywhere">
          {label}
        </span>
        {required !== true && <span className="text-xs font-normal text-faint">optional</span>}
      </legend>
      <div className="flex max-h-64 flex-col gap-1 overflow-y-auto rounded-md border border-line-strong px-3 py-2">
        {options.map((option) => (
          <Checkbox
            key={option.value}
            label={
              <span dir="auto" className="wrap-anywhere">
                {option.label}
              </span>
            }
            disabled={disabled}
            aria-invalid={problem === undefined ? undefined : true}
            checked={chosen.includes(option.value)}
            onChange={({ target }) =>
              onChange(
                options
                  .map((each) => each.value)
                  .filter((each) => (each === option.value ? target.checked : chosen.includes(each))),
              )
            }
          />
        ))}
      </div>
      {note !== undefined && (
        <div id={id} className={`mt-1.5 text-xs wrap-anywhere ${problem === undefined ? 'text-faint' : 'text-bad'}`}>
          {note}
        </div>
      )}
    </fieldset>
  );
}
