/** Field for an exact amount, with its value in base units below. */
import { Field, TextInput } from '../../components/field.tsx';
import { formatAmount, parseAmount } from '../../format/amount.ts';

export type AmountFieldProps = {
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** Undefined when unknown; the amount is entered in base units then. */
  readonly decimals: number | undefined;
  readonly symbol: string | undefined;
  readonly problem: string | undefined;
};

export const baseUnitsOf = (text: string, decimals: number | undefined) => parseAmount(text, decimals ?? 0);

/** Converts base units in a gateway's problem sentence to decimals. */
export function inPeoplesUnits(problem: string | undefined, decimals: number | undefined, symbol: string | undefined) {
  if (decimals === undefined) return problem;
  return problem?.replaceAll(/\b\d+\b/g, (units) => `${formatAmount(units, decimals)} ${symbol ?? ''}`.trim());
}

export function AmountField({ value, onChange, decimals, symbol, problem }: AmountFieldProps) {
  const parsed = baseUnitsOf(value, decimals);
  const unit = decimals === undefined ? 'base units' : symbol;
  return (
    <Field
      label={decimals === undefined ? 'Amount, in base units' : 'Amount'}
      hint={parsed.ok && decimals !== undefined ? `${parsed.baseUnits} base units` : undefined}
      problem={problem}
    >
      {(control) => (
        <div className="relative">
          <TextInput
            {...control}
            inputMode="decimal"
            autoComplete="off"
            spellCheck={false}
            className="pr-32"
            value={value}
            onChange={({ target }) => onChange(target.value)}
          />
          <bdi className="pointer-events-none absolute inset-y-0 right-3 flex max-w-28 items-center text-sm text-faint">
            <span className="truncate">{unit}</span>
          </bdi>
        </div>
      )}
    </Field>
  );
}
