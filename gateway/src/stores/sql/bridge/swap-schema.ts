/** The schema of swaps. */

export const swapStatements: readonly string[] = [];
