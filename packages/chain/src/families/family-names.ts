/** The names of the ledger families, for the configuration. `ledger-families` has the rules of each family. */

export const familyNames = ['evm', 'solana', 'bitcoin'] as const;

export type FamilyName = (typeof familyNames)[number];
