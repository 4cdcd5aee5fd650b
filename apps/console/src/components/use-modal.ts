/** Opens a `dialog` as a modal while it is rendered, moves the focus into it and restores it afterwards. */
import { type RefObject, useLayoutEffect, useRef } from 'react';

/** Initial focus: the first field, else the button in `data-initial-focus`, else the first dialog button, which cancels. */
const targets = [
  'input:not([type="hidden"]):not([tabindex="-1"]):enabled, select:enabled, textarea:enabled',
  '[data-initial-focus] button:enabled',
  '[data-dialog-buttons] button:enabled',
];

export function useModal(): RefObject<HTMLDialogElement | null> {
  const ref = useRef<HTMLDialogElement>(null);
  // The cleanup of a layout effect runs while the dialog is still in the page; later, the browser drops the focus.
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (dialog === null || dialog.open) return;
    const opener = document.activeElement;
    dialog.showModal();
    const target = targets.map((selector) => dialog.querySelector<HTMLElement>(selector)).find((each) => each !== null);
    target?.focus();
    return () => {
      dialog.close();
      returnFocus(opener);
    };
  }, []);
  return ref;
}

/** To the control that opened the dialog, or to the page when that control no longer exists. */
function returnFocus(opener: Element | null): void {
  // The control may be removed together with the dialog.
  requestAnimationFrame(() => {
    const { activeElement } = document;
    if (activeElement !== null && activeElement !== document.body && activeElement !== opener) return;
    const isUsable = opener instanceof HTMLElement && opener.isConnected && opener !== document.body;
    (isUsable ? opener : document.querySelector('main'))?.focus({ preventScroll: true });
  });
}
