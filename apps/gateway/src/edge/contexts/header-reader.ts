/** What steps read of a request before its body. */

export type HeaderReader = {
  /** A header's value; repeated headers are joined with a comma and a blank. Null when absent. */
  readonly header: (name: string) => string | null;
};
