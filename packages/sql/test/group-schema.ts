/** A schema for tests of the engine alone. */

import type { Schema } from '../src/engine/schema.ts';

export const groupSchema: Schema = {
  migrations: [
    {
      version: 1,
      name: 'stored',
      statements: ['CREATE TABLE stored (id TEXT NOT NULL PRIMARY KEY, n BIGINT NOT NULL CHECK (n >= 0))'],
    },
  ],
  tables: ['stored'],
};
