/** What of a list is shown. */
import { useId } from 'react';
import { Button } from '../../components/button.tsx';
import { Select, TextInput } from '../../components/field.tsx';
import { useLinkedWallets, walletTitle } from './linked-wallets.ts';

export type FilterChoice = {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
} & ({ readonly options: readonly (readonly [value: string, title: string])[] } | { readonly type: 'date' });

export type FilterBarProps = { readonly choices: readonly FilterChoice[]; readonly onClear: () => void };

export function FilterBar({ choices, onClear }: FilterBarProps) {
  const isSet = choices.some(({ value }) => value !== '');
  return (
    <fieldset className="flex flex-wrap items-end gap-3 border-b border-line px-5 py-4">
      <legend className="sr-only">Show only</legend>
      {choices.map((choice) => (
        <Choice key={choice.label} {...choice} />
      ))}
      {isSet && (
        <Button tone="quiet" onClick={onClear}>
          Clear
        </Button>
      )}
    </fieldset>
  );
}

function Choice(choice: FilterChoice) {
  const id = useId();
  const { label, value, onChange } = choice;
  return (
    <div className="flex min-w-36 flex-1 flex-col gap-1 sm:max-w-52">
      <label htmlFor={id} className="text-xs font-medium text-faint">
        {label}
      </label>
      {'options' in choice ? (
        <Select id={id} value={value} onChange={({ target }) => onChange(target.value)}>
          <option value="">All</option>
          {choice.options.map(([option, title]) => (
            <option key={option} value={option}>
              {title}
            </option>
          ))}
        </Select>
      ) : (
        <TextInput id={id} type="date" value={value} onChange={({ target }) => onChange(target.value)} />
      )}
    </div>
  );
}

/** The choice among the linked wallets. */
export function useWalletChoice(value: string, onChange: (value: string) => void): FilterChoice {
  const wallets = useLinkedWallets() ?? [];
  return { label: 'Wallet', value, onChange, options: wallets.map((wallet) => [wallet.address, walletTitle(wallet)]) };
}
