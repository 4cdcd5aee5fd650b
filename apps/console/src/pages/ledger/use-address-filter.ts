/** Filters of a list in the page's address, so that a link and a reload keep them. */
import { useSearchParams } from 'wouter';

export type AddressFilter<Name extends string> = {
  /** Empty: not filtered. Anyone can write an address: the page checks the values. */
  readonly values: Readonly<Record<Name, string>>;
  readonly set: (name: Name, value: string) => void;
  readonly clear: () => void;
};

export function useAddressFilter<const Name extends string>(names: readonly Name[]): AddressFilter<Name> {
  const [search, setSearch] = useSearchParams();
  const change = (changes: readonly (readonly [name: Name, value: string])[]) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        for (const [name, value] of changes)
          if (value === '') next.delete(name);
          else next.set(name, value);
        return next;
      },
      // Back leads to the page before, not through every letter that was typed.
      { replace: true },
    );
  return {
    values: Object.fromEntries(names.map((name) => [name, search.get(name) ?? ''])) as Record<Name, string>,
    set: (name, value) => change([[name, value]]),
    clear: () => change(names.map((name) => [name, ''] as const)),
  };
}
