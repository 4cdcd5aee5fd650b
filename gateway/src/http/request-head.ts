/** What steps read of a request before its body: the same for one that the runtime made and for one that was made from bytes. */

export type RequestHead = {
  /** A header's value; of one that came several times all, joined with a comma and a blank. Null when there is none. */
  readonly header: (name: string) => string | null;
};
