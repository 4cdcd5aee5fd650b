/** Global shortcuts: Ctrl/⌘ K, and `g` followed by a page's letter. Disabled while the user types. */
import { useEffect, useRef } from 'react';
import type { PageRow } from '../pages.ts';

/** Maximum time between `g` and the letter. */
const patienceMs = 1_200;

export type ShortcutTargets = {
  readonly pages: readonly PageRow[];
  readonly go: (path: string) => void;
  readonly openPalette: () => void;
};

export function useShortcuts(targets: ShortcutTargets): void {
  const latest = useRef(targets);
  latest.current = targets;
  useEffect(() => {
    let pressedMs = Number.NEGATIVE_INFINITY;
    const onKey = (event: KeyboardEvent) => {
      const { pages, go, openPalette } = latest.current;
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        openPalette();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector('dialog[open]') !== null) return;
      if (event.key === 'g') pressedMs = event.timeStamp;
      else if (event.timeStamp - pressedMs < patienceMs) {
        pressedMs = Number.NEGATIVE_INFINITY;
        const page = pages.find(({ shortcut }) => shortcut === event.key);
        if (page !== undefined) go(page.path);
      }
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
