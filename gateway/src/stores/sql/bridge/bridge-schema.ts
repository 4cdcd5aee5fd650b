/** The schema of bridges: what the indexer has read, and what it has made of it. */

import type { Migration } from '../engine/schema.ts';
import { depositStatements } from './deposit-schema.ts';
import { indexStatements } from './index-schema.ts';
import { swapStatements } from './swap-schema.ts';
import { tokenStatements } from './token-schema.ts';
import { withdrawalStatements } from './withdrawal-schema.ts';

export const bridgeMigration: Migration = {
  version: 17,
  name: 'bridges',
  statements: [
    ...indexStatements,
    ...depositStatements,
    ...withdrawalStatements,
    ...swapStatements,
    ...tokenStatements,
  ],
};
