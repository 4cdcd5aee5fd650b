/** The frame of every page: navigation (behind a button on phones), user menu and palette button. */

import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { Button } from '../components/button.tsx';
import { classNames } from '../components/class-names.ts';
import { Command, LogOut, Menu as MenuIcon, Monitor, Moon, Sun, X } from '../components/icons.tsx';
import { useMe } from '../gateway/use-me.ts';
import { groups, type PageRow } from '../pages.ts';
import { useSession } from '../session/session-context.tsx';
import { applyScheme, type SchemeChoice, storedScheme } from './color-scheme.ts';
import { fileLoader } from './page-files.ts';
import { useRestoredFocus } from './use-restored-focus.ts';

/** Loaded on first click: it is a seventh of the initial download. */
const Menu = lazy(fileLoader(async () => ({ default: (await import('../components/menu.tsx')).Menu })));

export type ShellProps = {
  readonly pages: readonly PageRow[];
  readonly openPalette: () => void;
  readonly children: ReactNode;
};

export function Shell({ pages, openPalette, children }: ShellProps) {
  const [isOpen, setOpen] = useState(false);
  const [location] = useLocation();
  const main = useRef<HTMLElement>(null);
  const place = useRef(location);
  useRestoredFocus(main);
  useEffect(() => {
    if (place.current === location) return;
    place.current = location;
    setOpen(false);
    window.scrollTo(0, 0);
    // Screen readers announce the new page.
    main.current?.focus({ preventScroll: true });
  }, [location]);
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[15rem_minmax(0,1fr)]">
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:fixed focus:top-3 focus:left-3 focus:z-50 focus:rounded-md focus:bg-surface focus:px-3 focus:py-2 focus:shadow-float"
      >
        Skip to content
      </a>
      <header className="sticky top-0 z-30 flex h-14 items-center gap-3 border-b border-line bg-surface px-4 lg:hidden">
        <Button
          tone="quiet"
          size="icon"
          aria-label={isOpen ? 'Close navigation' : 'Open navigation'}
          aria-expanded={isOpen}
          aria-controls="navigation"
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? <X aria-hidden="true" className="size-5" /> : <MenuIcon aria-hidden="true" className="size-5" />}
        </Button>
        <Brand />
      </header>
      <aside
        id="navigation"
        aria-label="Console"
        className={classNames(
          'z-20 flex flex-col border-line bg-surface lg:sticky lg:top-0 lg:flex lg:h-dvh lg:border-r',
          isOpen ? 'max-lg:fixed max-lg:inset-x-0 max-lg:top-14 max-lg:bottom-0' : 'max-lg:hidden',
        )}
      >
        <div className="px-5 py-4 max-lg:hidden">
          <Brand />
        </div>
        <div className="px-3 max-lg:pt-3">
          <button
            type="button"
            onClick={openPalette}
            className="flex h-9 w-full items-center gap-2 rounded-md border border-line bg-canvas px-2.5 text-sm text-faint hover:border-line-strong hover:text-soft"
          >
            <Command aria-hidden="true" className="size-4" />
            <span className="flex-1 text-left">Go to…</span>
            <kbd className="text-xs">{isApple ? '⌘K' : 'Ctrl K'}</kbd>
          </button>
        </div>
        <nav aria-label="Pages" className="flex-1 overflow-y-auto px-3 py-3">
          {groups.map((group) => (
            <Group key={group} group={group} pages={pages.filter((page) => page.group === group)} />
          ))}
        </nav>
        <PersonMenu />
      </aside>
      <main
        ref={main}
        id="main"
        tabIndex={-1}
        className="min-w-0 px-4 py-6 outline-none sm:px-8 sm:py-8 [&>*]:mx-auto [&>*]:max-w-6xl"
      >
        {children}
      </main>
    </div>
  );
}

const isApple = /mac|iphone|ipad/i.test(navigator.userAgent);

function Brand() {
  return (
    <Link href="/" className="flex items-center gap-2.5 text-lg font-semibold tracking-tight">
      <img src="/favicon.ico" alt="" className="size-6" />
      Flowgate
    </Link>
  );
}

function Group({ group, pages }: { readonly group: string; readonly pages: readonly PageRow[] }) {
  const [location] = useLocation();
  if (pages.length === 0) return null;
  return (
    <div className="mb-4">
      {group !== 'Start' && <p className="px-2.5 pb-1 text-xs font-medium text-faint">{group}</p>}
      <ul className="flex flex-col gap-px">
        {pages.map(({ path, title, icon: Icon }) => {
          const isHere = path === '/' ? location === '/' : location === path || location.startsWith(`${path}/`);
          return (
            <li key={path}>
              <Link
                href={path}
                aria-current={isHere ? 'page' : undefined}
                className={classNames(
                  'flex h-9 items-center gap-2.5 rounded-md px-2.5 text-sm lg:h-8',
                  isHere ? 'bg-accent-soft font-medium text-accent' : 'text-soft hover:bg-raised hover:text-ink',
                )}
              >
                <Icon aria-hidden="true" className="size-4 shrink-0" />
                {title}
              </Link>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

const schemes: readonly (readonly [SchemeChoice, string, typeof Sun])[] = [
  ['system', 'System theme', Monitor],
  ['light', 'Light theme', Sun],
  ['dark', 'Dark theme', Moon],
];

function PersonMenu() {
  const { session, state } = useSession();
  const me = useMe();
  const [scheme, setScheme] = useState(storedScheme);
  const [isMenuWanted, setMenuWanted] = useState(false);
  if (state.kind === 'signed-out') return null;
  const { name } = state.person;
  const trigger = (
    <button
      type="button"
      aria-haspopup="menu"
      {...(!isMenuWanted && { onClick: () => setMenuWanted(true) })}
      className="flex w-full items-center gap-2.5 rounded-md p-2 text-left hover:bg-raised"
    >
      <span
        aria-hidden="true"
        className="grid size-8 shrink-0 place-items-center rounded-full bg-accent-soft font-semibold text-accent"
      >
        {[...name][0]?.toUpperCase()}
      </span>
      <span className="min-w-0 flex-1">
        <span className="block truncate text-sm font-medium">{name}</span>
        <span className="block truncate text-xs text-faint">
          {me.data?.isAdmin === true ? 'Administrator' : (me.data?.userId ?? ' ')}
        </span>
      </span>
    </button>
  );
  return (
    <div className="border-t border-line p-3">
      {!isMenuWanted && trigger}
      {isMenuWanted && (
        <Suspense fallback={trigger}>
          <Menu
            startsOpen
            trigger={trigger}
            items={[
              ...schemes.map(([choice, label, Icon]) => ({
                label,
                icon: <Icon aria-hidden="true" className="size-4" />,
                checked: choice === scheme,
                onSelect: () => {
                  applyScheme(choice);
                  setScheme(choice);
                },
              })),
              {
                label: 'Sign out',
                icon: <LogOut aria-hidden="true" className="size-4" />,
                onSelect: () => void session.signOut(),
              },
            ]}
          />
        </Suspense>
      )}
    </div>
  );
}
