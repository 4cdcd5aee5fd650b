/** Reads the bounds of each statement from `statement-bounds.yaml`. */

import { join } from 'node:path';
import { parse } from 'yaml';

/** By file and function: the maximum number of rows and bytes. */
type StatementBounds = Readonly<
  Record<string, Readonly<Record<string, { readonly rows: string; readonly bytes: string }>>>
>;

export const statementBounds: StatementBounds = parse(
  await Bun.file(join(import.meta.dir, 'statement-bounds.yaml')).text(),
);
