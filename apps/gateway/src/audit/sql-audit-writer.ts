/**
 * The chains to which this process appends audit entries: one action at a time for each chain, and as many chains as concurrent actions
 * (docs/decisions/0075).
 */

import { startLoopDeadline } from '@flowgate/async/loop-deadline';
import { Unavailable } from '@flowgate/base/unavailable';
import type { Database, TransactionOptions } from '@flowgate/sql/engine/database';
import { selection } from '@flowgate/sql/engine/table';
import { auditChainsTable } from './audit-tables.ts';
import { insertChain } from './sql-audit-statements.ts';
import { chainHash, type EntryPlace } from './sql-entry-hash.ts';

/** A chain that only its current user appends to. */
export type AuditChain = {
  /** The chain's last entry. */
  readonly end: EntryPlace;
  /** An entry was appended. */
  moveTo(end: EntryPlace): void;
  /** Whether an entry was appended is unknown: the next action begins a new chain, which names this one's last certain entry. */
  abandon(): void;
  /** The database does not know this chain, because it was restored from a backup. The next action begins a new chain. */
  forget(): void;
};

export type AuditWriterDeps = {
  readonly database: Pick<Database, 'transaction'>;
  readonly now: () => number;
  readonly newChainId: () => string;
};

const chains = selection(auditChainsTable);

/** The maximum number of chains of a process, and of concurrent audited actions. */
export const maxChains = 32;

type Slot = { end: EntryPlace | undefined; follows: EntryPlace | undefined };

export class AuditWriter {
  readonly #deps: AuditWriterDeps;
  /** The most recently used chain is reused first, so that a process with few actions has one chain. */
  readonly #idle: Slot[] = [];
  readonly #waiting = new Set<(slot: Slot) => void>();
  #slots = 0;

  constructor(deps: AuditWriterDeps) {
    this.#deps = deps;
  }

  /** `options`: of the transaction that begins a chain. @throws `Unavailable` when no chain is free within `turnMs`, or none can be begun. */
  async withChain<T>(
    turnMs: number,
    options: Pick<TransactionOptions, 'usesReserve' | 'deadlineMs'>,
    work: (chain: AuditChain) => Promise<T>,
  ): Promise<T> {
    const slot = await this.#take(turnMs);
    try {
      slot.end ??= await this.#begin(slot.follows, options);
      return await work(new SlotChain(slot, slot.end));
    } finally {
      this.#giveBack(slot);
    }
  }

  #take(turnMs: number): Promise<Slot> {
    const idle = this.#idle.pop();
    if (idle !== undefined) return Promise.resolve(idle);
    if (this.#slots < maxChains) {
      this.#slots += 1;
      return Promise.resolve({ end: undefined, follows: undefined });
    }
    const { promise, resolve, reject } = Promise.withResolvers<Slot>();
    const stop = startLoopDeadline(turnMs, () => {
      this.#waiting.delete(take);
      reject(new Unavailable('database', `no audit chain was free within ${turnMs} ms`));
    });
    const take = (slot: Slot) => {
      stop();
      resolve(slot);
    };
    this.#waiting.add(take);
    return promise;
  }

  #giveBack(slot: Slot): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#idle.push(slot);
    else {
      this.#waiting.delete(next);
      next(slot);
    }
  }

  async #begin(follows: EntryPlace | undefined, options: TransactionOptions): Promise<EntryPlace> {
    const chain = {
      chainId: this.#deps.newChainId(),
      begunAtMs: this.#deps.now(),
      ...(follows === undefined ? {} : { follows: JSON.stringify(follows) }),
      sequence: 0,
      hash: '',
    };
    const [[row] = []] = await this.#deps.database.transaction([insertChain(chain)], {
      ...options,
      serializeOn: 'audit chains',
    });
    if (row === undefined) throw new Error('a chain was not begun');
    return { chainId: chain.chainId, sequence: 0, hash: chainHash(chains.read(row)) };
  }
}

class SlotChain implements AuditChain {
  readonly #slot: Slot;
  readonly end: EntryPlace;

  constructor(slot: Slot, end: EntryPlace) {
    this.#slot = slot;
    this.end = end;
  }

  moveTo(end: EntryPlace): void {
    this.#slot.end = end;
  }

  abandon(): void {
    this.#slot.end = undefined;
    this.#slot.follows = this.end;
  }

  forget(): void {
    this.#slot.end = undefined;
    this.#slot.follows = undefined;
  }
}
