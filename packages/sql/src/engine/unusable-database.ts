/** Thrown when this version of Flowgate cannot use the database. */

/** An operator must act. Fatal at start. The message says what is wrong and never repeats a password. */
export class UnusableDatabase extends Error {
  override name = 'UnusableDatabase';
}
