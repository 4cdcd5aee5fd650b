/** The schema with which the engines open a database. */

import type { Schema } from '@flowgate/sql/engine/schema';
import { migrations } from './migrations.ts';
import { tables } from './storage-tables.ts';

export const schema: Schema = { migrations, tables: tables.map(({ name }) => name) };
