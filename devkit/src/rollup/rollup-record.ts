/** What the local rollup keeps over a restart, beside its chains: where its contracts are, and what of L1 was derived. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { L1Contracts } from './deploy-l1.ts';
import type { Derived } from './sequencer.ts';
import type { Tokens } from './token-pair.ts';

export type RollupRecord = {
  readonly contracts: L1Contracts;
  readonly tokens: Tokens;
  readonly derived: readonly Derived[];
};

const recordName = 'rollup.json';

/** Undefined when there is none, or none that can be read: then the rollup begins again. */
export function readRollupRecord(directory: string): RollupRecord | undefined {
  const file = join(directory, recordName);
  if (!existsSync(file)) return undefined;
  try {
    const record: RollupRecord = JSON.parse(readFileSync(file, 'utf8'));
    return record;
  } catch {
    return undefined;
  }
}

/** Whole or not at all. */
export function writeRollupRecord(directory: string, record: RollupRecord): void {
  const file = join(directory, recordName);
  writeFileSync(`${file}.new`, JSON.stringify(record), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
