/** The data of the local rollup that survives a restart, besides its chains: the addresses of its contracts, and the derived blocks of L1. */
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

/** Undefined without a readable record: the rollup then starts empty. */
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

/** Atomic: the old or the new record. */
export function writeRollupRecord(directory: string, record: RollupRecord): void {
  const file = join(directory, recordName);
  writeFileSync(`${file}.new`, JSON.stringify(record), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
