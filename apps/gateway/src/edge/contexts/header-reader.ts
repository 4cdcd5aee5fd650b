/** Access to a request's headers, before its body is read. */

export type HeaderReader = {
  /** A header's value; repeated headers are joined with a comma and a space. Null when absent. */
  readonly header: (name: string) => string | null;
};
