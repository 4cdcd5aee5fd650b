/** Goes to a page by a few letters of its name. Loaded when it is opened first. */
import { Command } from 'cmdk';
import { useModal } from '../components/use-modal.ts';
import type { PageRow } from '../pages.ts';

export type CommandPaletteProps = {
  readonly pages: readonly PageRow[];
  readonly go: (path: string) => void;
  readonly onClose: () => void;
};

export function CommandPalette({ pages, go, onClose }: CommandPaletteProps) {
  const ref = useModal();
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click beside it closes it; the keyboard has Escape
    <dialog
      ref={ref}
      aria-label="Go to a page"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
      className="mx-auto mt-[12vh] w-[calc(100vw-2rem)] max-w-xl rounded-xl border border-line bg-surface p-0 text-ink shadow-float"
    >
      <Command label="Go to a page" loop>
        <Command.Input
          placeholder="Go to …"
          className="h-12 w-full border-b border-line bg-transparent px-4 text-lg outline-none"
        />
        <Command.List className="max-h-80 overflow-y-auto p-2">
          <Command.Empty className="px-3 py-6 text-center text-sm text-soft">No page has that name.</Command.Empty>
          {pages.map(({ path, title, icon: Icon, group, shortcut }) => (
            <Command.Item
              key={path}
              value={`${title} ${group}`}
              onSelect={() => {
                onClose();
                go(path);
              }}
              className="flex h-10 items-center gap-3 rounded-md px-3 text-base data-[selected=true]:bg-accent-soft data-[selected=true]:text-accent"
            >
              <Icon aria-hidden="true" className="size-4" />
              <span className="flex-1">{title}</span>
              <kbd className="text-xs text-faint">g {shortcut}</kbd>
            </Command.Item>
          ))}
        </Command.List>
      </Command>
    </dialog>
  );
}
