/** Finds pages by name: a combobox with a list box (WAI-ARIA). Loaded on first use. */
import { useId, useState } from 'react';
import { useModal } from '../components/use-modal.ts';
import type { PageRow } from '../pages.ts';

export type CommandPaletteProps = {
  readonly pages: readonly PageRow[];
  readonly go: (path: string) => void;
  readonly onClose: () => void;
};

export function CommandPalette({ pages, go, onClose }: CommandPaletteProps) {
  const ref = useModal();
  const id = useId();
  const [wanted, setWanted] = useState('');
  const [at, setAt] = useState(0);
  const found = pagesLike(pages, wanted);
  const chosen = found[Math.min(at, found.length - 1)];
  const optionId = ({ path }: PageRow) => `${id}${path}`;
  const choose = (page: PageRow | undefined) => {
    if (page === undefined) return;
    onClose();
    go(page.path);
  };
  const move = (step: number) => setAt((Math.min(at, found.length - 1) + step + found.length) % found.length);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click outside closes the dialog; the keyboard has Escape
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
      <input
        type="text"
        role="combobox"
        aria-label="Page"
        aria-expanded="true"
        aria-autocomplete="list"
        aria-controls={id}
        aria-activedescendant={chosen && optionId(chosen)}
        autoComplete="off"
        spellCheck={false}
        placeholder="Go to…"
        value={wanted}
        onChange={({ target }) => {
          setWanted(target.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') choose(chosen);
          else if (event.key === 'ArrowDown' && found.length > 0) move(1);
          else if (event.key === 'ArrowUp' && found.length > 0) move(-1);
          else return;
          event.preventDefault();
        }}
        className="h-12 w-full border-b border-line bg-transparent px-4 text-lg outline-none"
      />
      <div id={id} role="listbox" aria-label="Pages" className="max-h-80 overflow-y-auto p-2">
        {found.map((page) => {
          const { path, title, icon: Icon, shortcut } = page;
          const isChosen = page === chosen;
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the focus and handles the keys
            <div
              key={path}
              id={optionId(page)}
              role="option"
              tabIndex={-1}
              aria-selected={isChosen}
              ref={(element) => {
                if (isChosen) element?.scrollIntoView({ block: 'nearest' });
              }}
              onClick={() => choose(page)}
              className={`flex h-10 cursor-pointer items-center gap-3 rounded-md px-3 text-base hover:bg-raised ${isChosen ? 'bg-accent-soft text-accent' : ''}`}
            >
              <Icon aria-hidden="true" className="size-4" />
              <span className="flex-1">{title}</span>
              <kbd className="text-xs text-faint">g {shortcut}</kbd>
            </div>
          );
        })}
      </div>
      {found.length === 0 && <p className="px-5 pt-2 pb-6 text-center text-sm text-soft">No matching pages</p>}
    </dialog>
  );
}

/** Titles that start with the text first, then titles that contain it, each in menu order. */
function pagesLike(pages: readonly PageRow[], wanted: string): readonly PageRow[] {
  const text = wanted.trim().toLowerCase();
  const rank = ({ title, group }: PageRow) => {
    const name = `${title} ${group}`.toLowerCase();
    return name.startsWith(text) ? 0 : name.includes(text) ? 1 : -1;
  };
  const ranked = pages.map((page) => [rank(page), page] as const);
  return ranked
    .filter(([place]) => place >= 0)
    .sort(([one], [other]) => one - other)
    .map(([, page]) => page);
}
