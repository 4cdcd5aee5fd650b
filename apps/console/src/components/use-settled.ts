/** A value once it has not changed for a moment: what is asked while somebody types. */
import { useEffect, useState } from 'react';

const pauseMs = 350;

export function useSettled<T>(value: T, key: string): T {
  const [settled, setSettled] = useState(value);
  // biome-ignore lint/correctness/useExhaustiveDependencies: equal values are told apart by their key alone
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs);
    return () => clearTimeout(timer);
  }, [key]);
  return settled;
}
