/** Tabs with one visible panel. */
import { Tabs as Primitive } from 'radix-ui';
import { type ReactNode, useEffect, useRef } from 'react';

export type Tab = { readonly id: string; readonly title: string; readonly content: ReactNode };

export type TabsProps = {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly value?: string;
  readonly onChange?: (id: string) => void;
};

export function Tabs({ label, tabs, value, onChange }: TabsProps) {
  const [first] = tabs;
  const list = useRef<HTMLDivElement>(null);
  // On a phone the open tab may be scrolled out of view. Scroll only the list, not the page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again when another tab opens
  useEffect(() => {
    const open = list.current?.querySelector<HTMLElement>('[data-state="active"]');
    if (open == null || list.current === null) return;
    list.current.scrollLeft = open.offsetLeft - (list.current.clientWidth - open.offsetWidth) / 2;
  }, [value]);
  return (
    <Primitive.Root
      {...(value !== undefined && { value })}
      {...(onChange !== undefined && { onValueChange: onChange })}
      {...(value === undefined && first !== undefined && { defaultValue: first.id })}
      className="min-w-0"
    >
      <Primitive.List
        ref={list}
        aria-label={label}
        className="relative flex gap-1 overflow-x-auto border-b border-line"
      >
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
