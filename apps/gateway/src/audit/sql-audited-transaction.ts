/** Transactions that append an entry to the audit log exactly when their action was executed (contract/audit#entries, docs/decisions/0075). */

import { KeyedMutex } from '@flowgate/async/keyed-mutex';
import type { Clock } from '@flowgate/base/clock';
import type { NewTypeId } from '@flowgate/base/ids';
import { messageOf } from '@flowgate/base/text';
import { Unavailable } from '@flowgate/base/unavailable';
import type { Database, Row, Statement, TransactionOptions } from '@flowgate/sql/engine/database';
import type { AuditNote, AuditValue } from './audit-note.ts';
import { compensation, type Done, withEntry } from './sql-audit-statements.ts';
import { type AuditChain, AuditWriter } from './sql-audit-writer.ts';
import { type AuditEntry, type EntryPlace, entryHash } from './sql-entry-hash.ts';

/**
 * Like `database.transaction`, and appends the note in the same transaction exactly when the action was executed. If the entry cannot be written, the action
 * is not executed. After `Unavailable` both happened or neither. When an `undo` compensates an executed action, the log receives an entry `action.undone`.
 */
export type AuditedTransaction = (
  statements: readonly Statement[],
  audit: { readonly note: AuditNote; readonly done: Done },
  options?: TransactionOptions,
) => Promise<readonly (readonly Row[])[]>;

export type AuditedTransactionDeps = {
  readonly database: Pick<Database, 'dialect' | 'transaction'>;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly newId: NewTypeId;
  /**
   * Milliseconds for a transaction without a deadline of its own, including the wait for its turn. Default: the engine's deadline and a second for the turn.
   */
  readonly deadlineMs?: number | undefined;
};

const defaultTurnMs = 1_000;
const maxCharacters = 512;
const maxValues = 100;

/** One for each database of a process: it knows the ends of this process's chains. */
export function createAuditedTransaction(deps: AuditedTransactionDeps): AuditedTransaction {
  const { database, clock, newId } = deps;
  const writer = new AuditWriter({ database, now: clock.now, newChainId: () => newId('chn') });
  const mutex = new KeyedMutex();

  async function run(
    statements: readonly Statement[],
    { note, done }: { readonly note: AuditNote; readonly done: Done },
    options: TransactionOptions,
    chain: AuditChain,
  ): Promise<readonly (readonly Row[])[]> {
    const before = chain.end;
    const entry = entryOf(note, before, newId('aud'), clock.now());
    const after = placeOf(entry);
    const { all, places, proof } = withEntry(database.dialect, statements, done, { entry, before, after });
    const undo =
      options.undo === undefined ? {} : { undo: [...options.undo, ...compensatedEntry(entry, after, newId)] };
    let rows: readonly (readonly Row[])[];
    try {
      rows = await database.transaction(all, { ...options, ...undo });
    } catch (error) {
      // Any other error means that the database changed nothing.
      if (error instanceof Unavailable) chain.abandon();
      throw error;
    }
    if ((rows[proof]?.length ?? 0) > 0) chain.moveTo(after);
    return rows.length === 0 ? [] : places.map((at) => rows[at] ?? []);
  }

  return async (statements, audit, options = {}) => {
    const { serializeOn, usesReserve = false } = options;
    const stated = options.deadlineMs ?? deps.deadlineMs;
    const turnMs = stated ?? defaultTurnMs;
    const untilMs = clock.monotonic() + turnMs;
    const leftMs = () => Math.max(1, untilMs - clock.monotonic());
    const deadline = () => (stated === undefined ? {} : { deadlineMs: leftMs() });
    const inChain = () =>
      writer.withChain(leftMs(), { usesReserve, ...deadline() }, async (chain) => {
        try {
          return await run(statements, audit, { ...options, ...deadline() }, chain);
        } catch (error) {
          if (isOfUnknownChain(error)) chain.forget();
          throw error;
        }
      });
    const work = async () => {
      try {
        return await inChain();
      } catch (error) {
        if (!isOfUnknownChain(error)) throw error;
        return inChain();
      }
    };
    // On PostgreSQL these run one after another anyway, and waiting ones must not occupy the chains.
    if (serializeOn === undefined || database.dialect.engine === 'sqlite') return work();
    const late = () => new Unavailable('database', `no answer within ${turnMs} ms`);
    return mutex.runExclusive(serializeOn, turnMs, work, late);
  };
}

function entryOf(note: AuditNote, before: EntryPlace, auditId: string, createdAtMs: number): AuditEntry {
  const { actor, action, target, details } = note;
  return {
    auditId,
    chainId: before.chainId,
    sequence: before.sequence + 1,
    previous: before.hash,
    createdAtMs,
    actor: actor.userId.toWellFormed(),
    via: actor.via,
    action,
    target: target.toWellFormed(),
    requestId: actor.requestId.toWellFormed(),
    details: JSON.stringify(Object.fromEntries(Object.entries(details).map(([name, value]) => [name, cut(value)]))),
  };
}

function placeOf(entry: AuditEntry): EntryPlace {
  return { chainId: entry.chainId, sequence: entry.sequence, hash: entryHash(entry) };
}

function cut(value: AuditValue): AuditValue {
  if (typeof value === 'string') return cutText(value);
  return Array.isArray(value) ? value.slice(0, maxValues).map(cutText) : value;
}

function cutText(text: string): string {
  return (text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters - 1)}…`).toWellFormed();
}

/**
 * The compensation runs only when its transaction can no longer commit, and a transaction with an unknown outcome ends its chain, so the entry's position is
 * known beforehand.
 */
function compensatedEntry(entry: AuditEntry, end: EntryPlace, newId: NewTypeId): readonly Statement[] {
  const { auditId, action, actor: userId, requestId, target, createdAtMs } = entry;
  const note: AuditNote = {
    actor: { userId, via: 'system', requestId },
    action: 'action.undone',
    target,
    details: { auditId, action },
  };
  const compensated = entryOf(note, end, newId('aud'), createdAtMs);
  return compensation(entry, compensated, end, placeOf(compensated));
}

/** The entry found no chain that ends where this process's chain does. */
function isOfUnknownChain(error: unknown): boolean {
  const message = messageOf(error);
  return message.includes('audit_entries') && message.includes('chain_id') && !(error instanceof Unavailable);
}
