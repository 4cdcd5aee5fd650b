/** Finds every SQL statement of the stores and every Redis command in the source. */

import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

export type Place = {
  /** The file, and the function or member that contains the statement. */
  readonly place: string;
  /** The first word of each statement: `SELECT`, `UPDATE`, … */
  readonly statements: readonly string[];
};

const repository = join(import.meta.dir, '../..');
const sqlStart = /(?:`|'|")\s*(SELECT|WITH|INSERT INTO|UPDATE|DELETE FROM)\s/g;
const redisCommand = /(?:redis\.call\(|\.send\()'([A-Z]+)'/g;
/** The nearest named construct around a statement, at any depth. */
const names = [
  /^(?:export )?(?:async )?function\*? ?(\w+)/,
  /^(?:export )?const (\w+)(?::.*)? =/,
  /^ {2}(?:async )?function (\w+)/,
  /^ {2,4}(?:async )?\*?(#?\w+)\(.*(?:\{|\()$/,
  /^ {2,4}(\w+):\s*(?:$|\(|['`])/,
];
const keywords = new Set([
  'if',
  'for',
  'while',
  'switch',
  'return',
  'catch',
  'text',
  'sql',
  'query',
  'where',
  'changed',
]);

/** Schemas are excluded: their statements run once. */
export async function statementPlaces(): Promise<readonly Place[]> {
  const found: Place[] = [];
  for (const [folder, pattern] of [
    ['packages/sql/src', sqlStart],
    ['apps/gateway/src', sqlStart],
    ['packages/redis/src', redisCommand],
    ['apps/gateway/src/limits', redisCommand],
  ] as const)
    for (const path of readdirSync(join(repository, folder), { encoding: 'utf8', recursive: true }).sort()) {
      const name = basename(path);
      if (!/\.ts$/.test(name) || /\.(test|contract)\.ts$|schema\.ts$/.test(name)) continue;
      // Only files with this name contain statements (apps/gateway/dependency-rules.cjs), except those that copy every
      // table.
      if (folder === 'apps/gateway/src' && !/(^|\/)sql-[^/]+$|^storage\/move-data\.ts$/.test(path)) continue;
      found.push(...placesIn(name, await Bun.file(join(repository, folder, path)).text(), pattern));
    }
  return found;
}

function placesIn(file: string, source: string, pattern: RegExp): readonly Place[] {
  const places = new Map<string, string[]>();
  for (const match of source.matchAll(pattern)) {
    const place = `${file} ${nameAbove(source.slice(0, match.index))}`;
    places.set(place, [...(places.get(place) ?? []), match[1] ?? '']);
  }
  return [...places].map(([place, statements]) => ({ place, statements }));
}

function nameAbove(before: string): string {
  for (const line of before.split('\n').reverse())
    for (const pattern of names) {
      const found = pattern.exec(line)?.[1];
      if (found !== undefined && !keywords.has(found)) return found;
    }
  return '';
}
