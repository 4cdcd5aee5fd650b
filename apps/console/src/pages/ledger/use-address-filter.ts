/** Filters in the page's URL, so that links and reloads preserve them. */
import { useSearchParams } from 'wouter';

export type AddressFilter<Name extends string> = {
  /** Empty for no filter. URLs are untrusted input, so the page validates the values. */
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
      // The back button goes to the previous page, not to the previous keystroke.
      { replace: true },
    );
  return {
    values: Object.fromEntries(names.map((name) => [name, search.get(name) ?? ''])) as Record<Name, string>,
    set: (name, value) => change([[name, value]]),
    clear: () => change(names.map((name) => [name, ''] as const)),
  };
}
