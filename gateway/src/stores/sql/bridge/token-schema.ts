/** The schema of tokens. */

export const tokenStatements: readonly string[] = [];
