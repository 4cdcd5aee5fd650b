/** Thrown when this version of Flowgate cannot use the database. */

/** An operator must act. Fatal at start. The message states the problem and never repeats a password. */
export class UnusableDatabase extends Error {
  override name = 'UnusableDatabase';
}
