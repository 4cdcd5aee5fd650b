/** Shows a `dialog` over the page for as long as it is rendered, and moves the focus: into it, and back. */
import { type RefObject, useLayoutEffect, useRef } from 'react';

/** A field can be typed into at once; without one, the button in `data-initial-focus`, then the first of the dialog's own buttons, which cancels. */
const targets = [
  'input:not([type="hidden"]):not([tabindex="-1"]):enabled, select:enabled, textarea:enabled',
  '[data-initial-focus] button:enabled',
  '[data-dialog-buttons] button:enabled',
];

export function useModal(): RefObject<HTMLDialogElement | null> {
  const ref = useRef<HTMLDialogElement>(null);
  // A layout effect is undone while the dialog is still in the page; after that the browser drops the focus.
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

/** To the control that opened the dialog; to the page when that is gone, such as a removed row's button. */
function returnFocus(opener: Element | null): void {
  // The control may go with the dialog.
  requestAnimationFrame(() => {
    const { activeElement } = document;
    if (activeElement !== null && activeElement !== document.body && activeElement !== opener) return;
    const isUsable = opener instanceof HTMLElement && opener.isConnected && opener !== document.body;
    (isUsable ? opener : document.querySelector('main'))?.focus({ preventScroll: true });
  });
}
