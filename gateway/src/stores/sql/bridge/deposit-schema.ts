/** The schema of deposits. */

export const depositStatements: readonly string[] = [];
