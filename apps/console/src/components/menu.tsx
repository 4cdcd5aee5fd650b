/** A button with a list of actions. */
import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

export type MenuItem = {
  readonly label: string;
  readonly icon?: ReactNode;
  readonly onSelect: () => void;
  readonly danger?: boolean;
  readonly checked?: boolean;
};

export type MenuProps = {
  /** A single button element. */
  readonly trigger: ReactNode;
  readonly items: readonly MenuItem[];
  /** Opens on mount, because the click came before the menu was loaded. */
  readonly startsOpen?: boolean;
};

export function Menu({ trigger, items, startsOpen = false }: MenuProps) {
  return (
    // A modal menu adds a style element, which the content security policy forbids.
    <DropdownMenu.Root modal={false} defaultOpen={startsOpen}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={6}
          collisionPadding={12}
          className="z-50 min-w-44 rounded-lg border border-line bg-surface p-1 shadow-float"
        >
          {items.map(({ label, icon, onSelect, danger = false, checked }) => (
            <DropdownMenu.Item
              key={label}
              onSelect={onSelect}
              className={classNames(
                'flex min-h-9 items-center gap-2.5 rounded-md px-2.5 text-sm outline-none data-[highlighted]:bg-raised',
                danger && 'text-bad',
              )}
            >
              {icon}
              <span className="flex-1">{label}</span>
              {checked === true && <span aria-hidden="true">✓</span>}
              {checked === true && <span className="sr-only">(selected)</span>}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
