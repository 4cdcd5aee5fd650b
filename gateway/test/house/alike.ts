/** Compares two types of JSON values at compile time. */

/** `true` when both types have the same members with the same types, and the same members are optional; `readonly` does not count. */
export type Alike<A, B> = Same<Plain<A>, Plain<B>>;

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** JSON has no `undefined` and no `readonly`. */
type Plain<T> = unknown extends T
  ? unknown
  : T extends readonly (infer Entry)[]
    ? Plain<Entry>[]
    : T extends object
      ? { -readonly [K in keyof T]: Plain<Exclude<T[K], undefined>> }
      : T;
