/** Debounces a value, for requests while the user types. */
import { useEffect, useState } from 'react';

const pauseMs = 350;

export function useSettled<T>(value: T, key: string): T {
  const [settled, setSettled] = useState(value);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key alone identifies the value
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs);
    return () => clearTimeout(timer);
  }, [key]);
  return settled;
}
