/** A form's values, kept in this tab until it is sent: a reload, or a sign-in in between, loses nothing that was typed. Secrets do not belong here. */
import { useCallback, useState } from 'react';

/** Longer drafts are not kept: the tab's store is small. */
const longestKept = 100_000;

const anything = () => true;

/** `mayKeep`: false for a value with a secret or a signature in it, which stays on the page alone. */
export function useDraft<T>(
  name: string,
  empty: T,
  mayKeep: (value: T) => boolean = anything,
): readonly [T, (next: T) => void, () => void] {
  const key = `flowgate.draft.${name}`;
  const [value, setValue] = useState<T>(() => kept(key) ?? empty);
  const change = useCallback(
    (next: T) => {
      setValue(next);
      const text = JSON.stringify(next);
      if (!mayKeep(next)) sessionStorage.removeItem(key);
      else if (text.length <= longestKept) sessionStorage.setItem(key, text);
    },
    [key, mayKeep],
  );
  const clear = useCallback(() => {
    sessionStorage.removeItem(key);
    setValue(empty);
  }, [key, empty]);
  return [value, change, clear];
}

function kept<T>(key: string): T | undefined {
  try {
    const text = sessionStorage.getItem(key);
    return text === null ? undefined : (JSON.parse(text) as T);
  } catch {
    return undefined;
  }
}
