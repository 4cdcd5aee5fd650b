/** Form for a method's parameters. It renders the parameters themselves, so form and JSON never diverge. */
import { Checkbox, Field, Select, TextArea, TextInput } from '../../components/field.tsx';
import { JsonField } from './json-field.tsx';
import type { Parameter, ValueForm } from './methods/method-table.ts';

export type ParamsFormProps = {
  readonly parameters: readonly Parameter[];
  readonly params: readonly unknown[];
  readonly example: readonly unknown[] | undefined;
  /** Paths of required parameters that are empty, after the first attempt to send. */
  readonly missing: ReadonlySet<string>;
  readonly onChange: (params: readonly unknown[]) => void;
};

export function ParamsForm({ parameters, params, example, missing, onChange }: ParamsFormProps) {
  if (parameters.length === 0) return <p className="text-sm text-soft">This method has no parameters.</p>;
  return (
    <div className="flex flex-col gap-4">
      {parameters.map((parameter, at) => (
        <ValueField
          // biome-ignore lint/suspicious/noArrayIndexKey: parameters are identified by index
          key={at}
          parameter={parameter}
          value={params[at]}
          example={example?.[at]}
          path={String(at)}
          missing={missing}
          onChange={(value) => onChange(withValue(parameters, params, at, value))}
        />
      ))}
    </div>
  );
}

/** Omits trailing absent parameters; others become null. */
function withValue(
  parameters: readonly Parameter[],
  params: readonly unknown[],
  at: number,
  value: unknown,
): readonly unknown[] {
  const next = Array.from({ length: Math.max(params.length, at + 1) }, (_, each) =>
    each === at ? value : params[each],
  );
  while (next.length > 0 && next.at(-1) === undefined && parameters[next.length - 1]?.required !== true) next.pop();
  return next.map((each, place) => each ?? (parameters[place]?.required === true ? '' : null));
}

/** Initial parameters of a method. */
export function firstParams(parameters: readonly Parameter[]): readonly unknown[] {
  const values = parameters.map(({ form, required }) => (required ? firstValue(form) : undefined));
  while (values.length > 0 && values.at(-1) === undefined) values.pop();
  return values.map((value) => value ?? null);
}

function firstValue(form: ValueForm): unknown {
  switch (form.kind) {
    case 'block':
      return 'latest';
    case 'boolean':
      return false;
    case 'number':
      return 0;
    case 'choice':
      return form.of[0] ?? '';
    case 'list':
    case 'json':
      return [];
    case 'object':
      return {};
    default:
      return '';
  }
}

type ValueFieldProps = {
  readonly parameter: Parameter;
  readonly value: unknown;
  readonly example: unknown;
  /** Path of the parameter, as in `missing`. */
  readonly path: string;
  readonly missing: ReadonlySet<string>;
  /** Called with undefined to omit the value. */
  readonly onChange: (value: unknown) => void;
};

function ValueField({ parameter, value, example, path, missing, onChange }: ValueFieldProps) {
  const { form, name, hint, required } = parameter;
  if (form.kind === 'object')
    return <ObjectField {...{ parameter, value, example, path, missing, onChange }} members={form.members} />;
  if (form.kind === 'boolean')
    return <Checkbox label={name} checked={value === true} onChange={({ target }) => onChange(target.checked)} />;
  const isMissing = missing.has(path) ? 'This is required.' : undefined;
  const common = { label: name, optional: !required, problem: isMissing, ...(hint !== undefined && { hint }) };
  if (form.kind === 'json') return <JsonField {...common} value={value} onChange={onChange} />;
  if (form.kind === 'list')
    return (
      <Field {...common} hint={[hint, 'One per line.'].filter(Boolean).join(' ')}>
        {(control) => (
          <TextArea
            {...control}
            rows={2}
            spellCheck={false}
            className="font-mono text-sm!"
            value={linesOf(value)}
            onChange={({ target }) => onChange(listOf(target.value, form, required))}
          />
        )}
      </Field>
    );
  if (form.kind === 'choice')
    return (
      <Field {...common}>
        {(control) => (
          <Select {...control} value={textOf(value)} onChange={({ target }) => onChange(target.value)}>
            {form.of.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </Select>
        )}
      </Field>
    );
  return <TextField {...{ form, value, example, required, onChange, common }} />;
}

type TextFieldProps = Omit<ValueFieldProps, 'parameter' | 'path' | 'missing'> & {
  readonly form: ValueForm;
  readonly required: boolean;
  readonly common: {
    readonly label: string;
    readonly optional: boolean;
    readonly hint?: string;
    readonly problem: string | undefined;
  };
};

/** Accepts decimal heights and quantities and converts them to hexadecimal. */
function TextField({ form, value, example, required, onChange, common }: TextFieldProps) {
  const text = textOf(value);
  const isNumber = form.kind === 'quantity' || form.kind === 'block';
  const change = (next: string) => {
    if (next === '' && !required) onChange(undefined);
    else if (form.kind === 'number' && next !== '' && Number.isFinite(Number(next))) onChange(Number(next));
    else onChange(next);
  };
  return (
    <Field {...common} problem={text === '' ? common.problem : problemOf(form, text)}>
      {(control) => (
        <TextInput
          {...control}
          className="font-mono text-sm!"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          list={form.kind === 'block' ? 'block-tags' : undefined}
          placeholder={typeof example === 'string' && example.length < 80 ? example : undefined}
          value={text}
          onChange={({ target }) => change(target.value)}
          onBlur={() => {
            if (isNumber && /^\d+$/.test(text)) change(`0x${BigInt(text).toString(16)}`);
          }}
        />
      )}
    </Field>
  );
}

export const blockTags = ['latest', 'safe', 'finalized', 'pending', 'earliest'] as const;

/** Only a hint while typing; gateway and node validate. */
function problemOf(form: ValueForm, text: string): string | undefined {
  const isQuantity = /^(?:\d+|0x(?:0|[1-9a-f][0-9a-f]*))$/i.test(text);
  if (form.kind === 'quantity') return isQuantity ? undefined : 'A whole number, such as 21 or 0x15.';
  if (form.kind === 'block') {
    const fits =
      isQuantity || blockTags.some((tag) => tag.startsWith(text)) || (form.hash && /^0x[0-9a-f]{64}$/i.test(text));
    return fits ? undefined : `A block height, one of ${blockTags.join(', ')}${form.hash ? ', or a block hash' : ''}.`;
  }
  if (form.kind !== 'text' || form.pattern === undefined || new RegExp(form.pattern).test(text)) return undefined;
  const digits = /\{(\d+)\}\$$/.exec(form.pattern)?.[1];
  return digits === undefined ? 'Hexadecimal digits after 0x.' : `${digits} hexadecimal digits after 0x.`;
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function linesOf(value: unknown): string {
  return Array.isArray(value) ? value.map(textOf).join('\n') : textOf(value);
}

function listOf(text: string, form: Extract<ValueForm, { kind: 'list' }>, required: boolean): unknown {
  if (text === '') return required ? [] : undefined;
  const lines = text.split('\n');
  if (form.lone && lines.length === 1) return lines[0];
  return form.of === 'text'
    ? lines
    : lines.map((line) => (line !== '' && Number.isFinite(Number(line)) ? Number(line) : line));
}

/** Common members; further ones are collapsed. */
const maxOpenMembers = 5;
const commonNames = ['to', 'from', 'value', 'input', 'gas', 'fromBlock', 'toBlock', 'address', 'topics'];

function ObjectField({
  parameter,
  value,
  example,
  path,
  missing,
  onChange,
  members,
}: ValueFieldProps & { readonly members: readonly Parameter[] }) {
  const object = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  const place = ({ name }: Parameter) => (commonNames.includes(name) ? commonNames.indexOf(name) : commonNames.length);
  const sorted = members.toSorted((a, b) => place(a) - place(b));
  const isSet = ({ name }: Parameter) => Object.hasOwn(object, name);
  const field = (member: Parameter) => (
    <ValueField
      key={member.name}
      parameter={member}
      value={(object as Record<string, unknown>)[member.name]}
      path={`${path}.${member.name}`}
      missing={missing}
      example={
        typeof example === 'object' && example !== null ? (example as Record<string, unknown>)[member.name] : undefined
      }
      onChange={(next) => {
        const { [member.name]: _, ...others } = object as Record<string, unknown>;
        // Preserves the member's position in the JSON.
        const entries = Object.entries({ ...object, [member.name]: next });
        onChange(next === undefined ? others : Object.fromEntries(entries));
      }}
    />
  );
  const [open, more] = [sorted.slice(0, maxOpenMembers), sorted.slice(maxOpenMembers)];
  return (
    <fieldset className="min-w-0 rounded-lg border border-line px-4 pt-2 pb-4">
      <legend className="px-1 text-sm font-medium">{parameter.name}</legend>
      <div className="grid gap-4 sm:grid-cols-2">{open.map(field)}</div>
      {more.length > 0 && (
        <details
          className="mt-3"
          open={more.some((member) => isSet(member) || missing.has(`${path}.${member.name}`)) || undefined}
        >
          <summary className="w-fit rounded text-sm font-medium text-accent">More fields</summary>
          <div className="mt-3 grid gap-4 sm:grid-cols-2">{more.map(field)}</div>
        </details>
      )}
    </fieldset>
  );
}
