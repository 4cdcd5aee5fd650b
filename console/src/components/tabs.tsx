/** Views beside each other, of which one is shown. */
import { Tabs as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';

export type Tab = { readonly id: string; readonly title: string; readonly content: ReactNode };

export type TabsProps = {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly value?: string;
  readonly onChange?: (id: string) => void;
};

export function Tabs({ label, tabs, value, onChange }: TabsProps) {
  const [first] = tabs;
  return (
    <Primitive.Root
      {...(value !== undefined && { value })}
      {...(onChange !== undefined && { onValueChange: onChange })}
      {...(value === undefined && first !== undefined && { defaultValue: first.id })}
      className="min-w-0"
    >
      <Primitive.List aria-label={label} className="flex gap-1 overflow-x-auto border-b border-line">
        {tabs.map(({ id, title }) => (
          <Primitive.Trigger
            key={id}
            value={id}
            className="-mb-px rounded-t-md border-b-2 border-transparent px-3 py-2 text-sm font-medium whitespace-nowrap text-soft hover:text-ink focus-visible:-outline-offset-2 data-[state=active]:border-accent data-[state=active]:text-ink"
          >
            {title}
          </Primitive.Trigger>
        ))}
      </Primitive.List>
      {tabs.map(({ id, content }) => (
        <Primitive.Content key={id} value={id} className="pt-4">
          {content}
        </Primitive.Content>
      ))}
    </Primitive.Root>
  );
}
