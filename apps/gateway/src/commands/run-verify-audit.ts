/** The composition root of `flowgate verify-audit`: opens the configured database and checks its audit log. */

import { existsSync } from 'node:fs';
import { type AuditVerdict, verifyAudit } from '../audit/sql-verify-audit.ts';
import { openDatabase } from '../bootstrap/open-storage.ts';
import { machine } from '../bootstrap/runtime.ts';
import type { Config } from '../config/config.ts';

/** Passes the end of each chain and the result to `say`, line by line. Rejects with a sentence for the operator when the log cannot be read. */
export async function runVerifyAudit(
  { storage }: Pick<Config, 'storage'>,
  say: (line: string) => void,
): Promise<AuditVerdict> {
  const file = /^sqlite:(.+)$/.exec(storage.database)?.[1];
  // Opening a missing file would create it, and an empty log is valid.
  if (file !== undefined && !existsSync(file)) throw new Error(`there is no file ${file}`);
  const opening = openDatabase({ ...storage, databaseConnections: 1 }, machine, (reason) => say(reason ?? 'recovered'));
  await using opened = new AsyncDisposableStack();
  const database = opened.adopt(await opening, (each) => each.close());
  const verdict = await verifyAudit(database, {
    onChain: ({ chainId, sequence, hash }) =>
      say(`${chainId}: ${sequence} entries${sequence === 0 ? '' : `, SHA-256 of the last ${hash}`}`),
  });
  say(sentenceOf(verdict));
  return verdict;
}

function sentenceOf({ chains, entries, fault }: AuditVerdict): string {
  if (fault === undefined) return `The audit log is sound: ${entries} entries in ${chains} chains.`;
  const { chainId, sequence, auditId, problem } = fault;
  const place = sequence === 0 ? `chain ${chainId}` : `entry ${sequence} of chain ${chainId}`;
  return `The audit log is broken at ${place}${auditId === undefined ? '' : ` (${auditId})`}: ${problem}.`;
}
