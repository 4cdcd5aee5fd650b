/** The schema of withdrawals. */

export const withdrawalStatements: readonly string[] = [];
