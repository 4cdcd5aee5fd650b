/** Filters of a list, and the empty state that names the active ones. */

import { useId, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { classNames } from '../../components/class-names.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Select, TextInput } from '../../components/field.tsx';
import type { Icon } from '../../components/icons.tsx';
import { MultiSelect } from '../../components/multi-select.tsx';
import { dateWords } from '../../format/relative-time.ts';
import { shortened } from '../../format/shortened.ts';
import { dayOf } from './day-range.ts';
import { useLinkedWallets, walletTitle } from './linked-wallets.ts';

export type FilterChoice = {
  readonly label: string;
  /** Empty for no filter. Several options are separated by commas. */
  readonly value: string;
  readonly onChange: (value: string) => void;
} & (
  | {
      readonly options: readonly (readonly [value: string, title: string])[];
      /** Several options can be selected. */
      readonly isMultiple?: boolean;
    }
  | { readonly type: 'date' | 'hash' }
);

export type FilterBarProps = { readonly choices: readonly FilterChoice[]; readonly onClear: () => void };

export function FilterBar({ choices, onClear }: FilterBarProps) {
  const isSet = choices.some(({ value }) => value !== '');
  return (
    <fieldset
      className={classNames(
        'grid grid-cols-2 items-start gap-3 border-b border-line px-5 py-4 xl:flex xl:flex-wrap',
        choices.length > 4 ? 'sm:grid-cols-3' : 'sm:grid-cols-4',
      )}
    >
      <legend className="sr-only">Filters</legend>
      {choices.map((choice) => (
        <Choice key={choice.label} {...choice} />
      ))}
      {isSet && (
        <Button tone="quiet" className="self-end justify-self-start" onClick={onClear}>
          Clear filters
        </Button>
      )}
    </fieldset>
  );
}

function Choice(choice: FilterChoice) {
  const id = useId();
  const { label, value } = choice;
  const [isTyping, setTyping] = useState(false);
  const isHash = 'type' in choice && choice.type === 'hash';
  const problem = isHash && value !== '' && !isTyping && transactionHashOf(value) === undefined;
  return (
    <div
      className={classNames(
        'flex min-w-0 flex-col gap-1 xl:max-w-52 xl:min-w-36 xl:flex-1',
        // On a phone, a hash needs the full row.
        isHash && 'max-sm:col-span-2',
      )}
    >
      <label id={`${id}-label`} htmlFor={id} className="text-xs font-medium text-faint">
        {label}
      </label>
      {'options' in choice ? (
        <OptionsChoice id={id} choice={choice} />
      ) : (
        <TextInput
          id={id}
          {...(isHash
            ? { type: 'search', placeholder: '0x', spellCheck: false, autoComplete: 'off', className: 'font-mono' }
            : { type: 'date' })}
          value={value}
          aria-invalid={problem || undefined}
          aria-describedby={problem ? `${id}-problem` : undefined}
          onFocus={() => setTyping(true)}
          onBlur={() => setTyping(false)}
          onChange={({ target }) => choice.onChange(target.value)}
        />
      )}
      {problem && (
        <p id={`${id}-problem`} className="text-xs text-bad">
          Enter 0x and 64 hexadecimal digits.
        </p>
      )}
    </div>
  );
}

type OptionsChoiceProps = { readonly id: string; readonly choice: Extract<FilterChoice, { readonly options: object }> };

function OptionsChoice({ id, choice: { value, options, onChange, isMultiple = false } }: OptionsChoiceProps) {
  if (isMultiple)
    return (
      <MultiSelect
        labelId={`${id}-label`}
        options={options}
        chosen={value.split(',')}
        onChange={(chosen) => onChange(chosen.join())}
      />
    );
  // A link may contain a value that is no option, such as a wallet that was unlinked.
  const isKnown = value === '' || options.some(([option]) => option === value);
  return (
    <Select id={id} value={value} onChange={({ target }) => onChange(target.value)}>
      <option value="">All</option>
      {[...options, ...(isKnown ? [] : [[value, shortened(value)] as const])].map(([option, title]) => (
        <option key={option} value={option}>
          {title}
        </option>
      ))}
    </Select>
  );
}

/** Undefined if the text is not a transaction hash. */
export const transactionHashOf = (text: string): string | undefined =>
  /^0x[0-9a-f]{64}$/i.test(text.trim()) ? text.trim() : undefined;

/** Filter by linked wallet. */
export function useWalletChoice(value: string, onChange: (value: string) => void): FilterChoice {
  const wallets = useLinkedWallets() ?? [];
  return { label: 'Wallet', value, onChange, options: wallets.map((wallet) => [wallet.address, walletTitle(wallet)]) };
}

export type NothingMatchesProps = FilterBarProps & { readonly icon: Icon };

export function NothingMatches({ icon, choices, onClear }: NothingMatchesProps) {
  return (
    <EmptyState icon={icon} title="No matches" action={<Button onClick={onClear}>Clear filters</Button>}>
      {choices
        .filter(({ value }) => value !== '')
        .map((choice) => (
          <p key={choice.label} className="wrap-anywhere">
            {choice.label}: <span className="font-medium text-ink">{filterWords(choice)}</span>
          </p>
        ))}
    </EmptyState>
  );
}

function filterWords(choice: FilterChoice): string {
  const { value } = choice;
  if ('options' in choice) {
    const titles = value.split(',').map((each) => choice.options.find(([option]) => option === each)?.[1]);
    return titles.map((title) => title ?? shortened(value)).join(' or ');
  }
  if (choice.type === 'hash') return shortened(value);
  const day = dayOf(value);
  return day === undefined ? value : dateWords(day);
}
