/** Verifies every chain of the audit log in bounded pages, and names the first entry that differs from what was written (docs/decisions/0075). */

import type { Database, Statement } from '@flowgate/sql/engine/database';
import { textOf } from '@flowgate/sql/engine/row';
import { sql } from '@flowgate/sql/engine/sql-text';
import { selection } from '@flowgate/sql/engine/table';
import { auditChainsTable, auditEntriesTable } from './audit-tables.ts';
import { type AuditChainRecord, type AuditEntry, chainHash, type EntryPlace, entryHash } from './sql-entry-hash.ts';

/** `sequence` 0: the chain itself. `auditId`: absent when the entry is missing. */
export type AuditFault = {
  readonly chainId: string;
  readonly sequence: number;
  readonly auditId?: string;
  readonly problem: string;
};

export type AuditVerdict = { readonly chains: number; readonly entries: number; readonly fault?: AuditFault };

export type VerifyOptions = {
  /** Called with the end of each valid chain; `hash` is empty without entries. */
  readonly onChain?: (end: EntryPlace) => void;
  /** Rows of one read. Default: 200, each of which has at most about 60 KB. */
  readonly pageRows?: number;
};

type Checked = { readonly last: EntryPlace; readonly entries: number };

const chains = selection(auditChainsTable);
const entries = selection(auditEntriesTable);
const deadlineMs = 30_000;

/** Gateways may write meanwhile. Rejects with `Unavailable` when the database cannot be read. */
export async function verifyAudit(
  database: Pick<Database, 'query'>,
  { onChain = () => {}, pageRows = 200 }: VerifyOptions = {},
): Promise<AuditVerdict> {
  const log = new AuditReader(database, pageRows);
  let checkedChains = 0;
  let checkedEntries = 0;
  const verdict = (fault?: AuditFault): AuditVerdict => ({
    chains: checkedChains,
    entries: checkedEntries,
    ...(fault === undefined ? {} : { fault }),
  });
  for await (const chain of log.chains()) {
    if (chain.number !== checkedChains + 1)
      return verdict(ofChain(chain.chainId, `chain number ${checkedChains + 1}, the one before this, is missing`));
    const checked = await checkChain(log, chain);
    if ('problem' in checked) return verdict(checked);
    checkedChains += 1;
    checkedEntries += checked.entries;
    onChain(checked.last);
  }
  return verdict(await strayEntry(log));
}

async function checkChain(log: AuditReader, chain: AuditChainRecord): Promise<Checked | AuditFault> {
  const { chainId } = chain;
  const lost = await checkFollows(log, chain);
  if (lost !== undefined) return lost;
  let last: EntryPlace = { chainId, sequence: 0, hash: chainHash(chain) };
  let before: AuditEntry | undefined;
  for await (const entry of log.entriesOf(chainId)) {
    const sequence = last.sequence + 1;
    if (entry.sequence !== sequence)
      return {
        chainId,
        sequence,
        problem: `it is missing; the next one that is there has the number ${entry.sequence}`,
      };
    if (entry.previous !== last.hash) return culprit(log, chain, before, entry);
    last = { chainId, sequence, hash: entryHash(entry) };
    before = entry;
    if (sequence === chain.sequence && chain.hash !== last.hash) return changed(chainId, entry);
  }
  return checkEnd(log, chain, last, before);
}

/** The chain's row is read before its entries and again after them, so it covers every entry that existed, and only those. */
async function checkEnd(
  log: AuditReader,
  chain: AuditChainRecord,
  last: EntryPlace,
  entry: AuditEntry | undefined,
): Promise<Checked | AuditFault> {
  const { chainId } = chain;
  if (last.sequence < chain.sequence)
    return { chainId, sequence: last.sequence + 1, problem: `it is missing, with all up to ${chain.sequence}` };
  if (chain.sequence === 0 && chain.hash !== '') return ofChain(chainId, 'it has a hash and no entry');
  const now = await log.chain(chainId);
  if (now === undefined) return ofChain(chainId, 'it was removed during the check');
  if (entry !== undefined && now.sequence < last.sequence)
    return { chainId, sequence: entry.sequence, auditId: entry.auditId, problem: 'it was added behind the end' };
  return { last: last.sequence === 0 ? { ...last, hash: '' } : last, entries: last.sequence };
}

/** `entry` does not contain the hash of `before`: one of them was changed. If the next entry contains the hash of `entry`, `before` was changed. */
async function culprit(
  log: AuditReader,
  chain: AuditChainRecord,
  before: AuditEntry | undefined,
  entry: AuditEntry,
): Promise<AuditFault> {
  const next = await log.entryAt(chain.chainId, entry.sequence + 1);
  const expected = next?.previous ?? (chain.sequence === entry.sequence ? chain.hash : undefined);
  if (expected !== entryHash(entry)) return changed(chain.chainId, entry);
  return before === undefined
    ? ofChain(chain.chainId, 'its beginning was changed, or its first entries removed')
    : changed(chain.chainId, before);
}

async function checkFollows(log: AuditReader, chain: AuditChainRecord): Promise<AuditFault | undefined> {
  if (chain.follows === undefined) return undefined;
  const place = placeOf(chain.follows);
  const found = place === undefined ? undefined : await log.hashAt(place);
  return found !== undefined && found === place?.hash
    ? undefined
    : ofChain(chain.chainId, 'the entry that it follows is not there, or not what it was');
}

/** Finds an entry whose chain is missing, by reading one entry of each chain. */
async function strayEntry(log: AuditReader): Promise<AuditFault | undefined> {
  for (let after = ''; ; ) {
    const entry = await log.firstOfChainAfter(after);
    if (entry === undefined) return undefined;
    const { chainId, sequence, auditId } = entry;
    if ((await log.chain(chainId)) === undefined)
      return { chainId, sequence, auditId, problem: 'its chain is missing' };
    after = chainId;
  }
}

function changed(chainId: string, { sequence, auditId }: AuditEntry): AuditFault {
  return { chainId, sequence, auditId, problem: 'it is not the entry that was written here' };
}

function ofChain(chainId: string, problem: string): AuditFault {
  return { chainId, sequence: 0, problem };
}

function placeOf(follows: string): EntryPlace | undefined {
  try {
    const { chainId, sequence, hash }: Partial<EntryPlace> = JSON.parse(follows);
    return typeof chainId === 'string' && typeof sequence === 'number' && typeof hash === 'string'
      ? { chainId, sequence, hash }
      : undefined;
  } catch {
    return undefined;
  }
}

class AuditReader {
  readonly #database: Pick<Database, 'query'>;
  readonly #pageRows: number;

  constructor(database: Pick<Database, 'query'>, pageRows: number) {
    this.#database = database;
    this.#pageRows = pageRows;
  }

  async *chains(): AsyncGenerator<AuditChainRecord> {
    for (let after = 0; ; ) {
      const rows = await this.#read(sql`SELECT ${chains.list} FROM audit_chains
        WHERE number > ${after} ORDER BY number LIMIT ${this.#pageRows}`);
      yield* rows.map(chains.read);
      const last = rows.at(-1);
      if (last === undefined) return;
      after = chains.read(last).number;
    }
  }

  async *entriesOf(chainId: string): AsyncGenerator<AuditEntry> {
    for (let after = 0; ; ) {
      const rows = await this.#read(sql`SELECT ${entries.list} FROM audit_entries
        WHERE chain_id = ${chainId} AND sequence > ${after} ORDER BY sequence LIMIT ${this.#pageRows}`);
      yield* rows.map(entries.read);
      const last = rows.at(-1);
      if (last === undefined) return;
      after = entries.read(last).sequence;
    }
  }

  async chain(chainId: string): Promise<AuditChainRecord | undefined> {
    const [row] = await this.#read(sql`SELECT ${chains.list} FROM audit_chains WHERE chain_id = ${chainId}`);
    return row === undefined ? undefined : chains.read(row);
  }

  async entryAt(chainId: string, sequence: number): Promise<AuditEntry | undefined> {
    const [row] = await this.#read(sql`SELECT ${entries.list} FROM audit_entries
      WHERE chain_id = ${chainId} AND sequence = ${sequence}`);
    return row === undefined ? undefined : entries.read(row);
  }

  async hashAt({ chainId, sequence }: EntryPlace): Promise<string | undefined> {
    if (sequence === 0) {
      const chain = await this.chain(chainId);
      return chain === undefined ? undefined : chainHash(chain);
    }
    const entry = await this.entryAt(chainId, sequence);
    return entry === undefined ? undefined : entryHash(entry);
  }

  async firstOfChainAfter(chainId: string): Promise<AuditEntry | undefined> {
    const [row] = await this.#read(sql`SELECT chain_id FROM audit_entries
      WHERE chain_id > ${chainId} ORDER BY chain_id, sequence LIMIT 1`);
    if (row === undefined) return undefined;
    const next = textOf(row, 'chain_id');
    const [first] = await this.#read(sql`SELECT ${entries.list} FROM audit_entries
      WHERE chain_id = ${next} ORDER BY sequence LIMIT 1`);
    return first === undefined ? undefined : entries.read(first);
  }

  #read({ text, values }: Statement) {
    return this.#database.query(text, values, { deadlineMs });
  }
}
