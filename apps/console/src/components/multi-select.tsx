/** A form field for choosing several options: a button that opens a list of checkboxes. */

import { DropdownMenu } from 'radix-ui';
import { useId } from 'react';
import { classNames } from './class-names.ts';
import { control } from './field.tsx';
import { Check, ChevronDown } from './icons.tsx';

export type MultiSelectProps = {
  /** ID of the label element. */
  readonly labelId: string;
  readonly options: readonly (readonly [value: string, title: string])[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
};

const item = 'flex min-h-9 items-center gap-2.5 rounded-md px-2.5 text-sm outline-none data-[highlighted]:bg-raised';

/** An empty selection means all. */
export function MultiSelect({ labelId, options, chosen, onChange }: MultiSelectProps) {
  const id = useId();
  const titles = options.flatMap(([value, title]) => (chosen.includes(value) ? [title] : []));
  return (
    // A modal menu adds a style element, which the content security policy forbids.
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        <button
          type="button"
          id={id}
          aria-labelledby={`${labelId} ${id}`}
          className={classNames(control, 'flex h-9 items-center gap-1.5 text-left')}
        >
          <span className="min-w-0 flex-1 truncate">
            {titles.length > 1 ? `${titles.length} selected` : (titles[0] ?? 'All')}
          </span>
          <ChevronDown aria-hidden="true" className="size-3.5 shrink-0" />
        </button>
      </DropdownMenu.Trigger>
      {/* Without a portal, so that the list is inside a landmark of the page. */}
      <DropdownMenu.Content
        align="start"
        sideOffset={6}
        collisionPadding={12}
        aria-labelledby={labelId}
        className="z-50 min-w-52 rounded-lg border border-line bg-surface p-1 shadow-float"
      >
        {options.map(([value, title]) => (
          <DropdownMenu.CheckboxItem
            key={value}
            checked={chosen.includes(value)}
            onCheckedChange={(isChosen) =>
              onChange(options.flatMap(([each]) => ((each === value ? isChosen : chosen.includes(each)) ? [each] : [])))
            }
            // The list remains open for the next choice.
            onSelect={(event) => event.preventDefault()}
            className={item}
          >
            <span
              aria-hidden="true"
              className={classNames(
                'grid size-4 shrink-0 place-items-center rounded border',
                chosen.includes(value) ? 'border-accent-solid bg-accent-solid text-white' : 'border-line-strong',
              )}
            >
              {chosen.includes(value) && <Check className="size-3" />}
            </span>
            {title}
          </DropdownMenu.CheckboxItem>
        ))}
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  );
}
