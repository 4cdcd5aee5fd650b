/** Form values, stored in this tab until the form is sent, so that a reload or a new sign-in loses nothing. Not for secrets. */
import { useCallback, useState } from 'react';

/** Characters. Longer drafts are not stored, because session storage is small. */
const maxDraftLength = 100_000;

const anything = () => true;

/** `mayKeep` returns false for values with a secret or a signature; these are not stored. */
export function useDraft<T>(
  name: string,
  empty: T,
  mayKeep: (value: T) => boolean = anything,
): readonly [T, (next: T) => void, () => void] {
  const key = `flowgate.draft.${name}`;
  const [value, setValue] = useState<T>(() => storedDraft(key) ?? empty);
  const change = useCallback(
    (next: T) => {
      setValue(next);
      const text = JSON.stringify(next);
      if (!mayKeep(next)) sessionStorage.removeItem(key);
      else if (text.length <= maxDraftLength) sessionStorage.setItem(key, text);
    },
    [key, mayKeep],
  );
  const clear = useCallback(() => {
    sessionStorage.removeItem(key);
    setValue(empty);
  }, [key, empty]);
  return [value, change, clear];
}

function storedDraft<T>(key: string): T | undefined {
  try {
    const text = sessionStorage.getItem(key);
    return text === null ? undefined : (JSON.parse(text) as T);
  } catch {
    return undefined;
  }
}
