/** Shows a `dialog` over the page for as long as it is rendered. */
import { type RefObject, useEffect, useRef } from 'react';

export function useModal(): RefObject<HTMLDialogElement | null> {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    if (dialog === null || dialog.open) return;
    dialog.showModal();
    return () => dialog.close();
  }, []);
  return ref;
}
