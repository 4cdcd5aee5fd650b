/** Creates a table when the first text needs it: many processes read no text, and creating all tables takes a tenth of a second. */
export function once<T>(create: () => T): () => T {
  let created: T | undefined;
  return () => {
    created ??= create();
    return created;
  };
}
