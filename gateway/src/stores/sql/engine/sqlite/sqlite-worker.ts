/** A thread that SQLite runs in, so that neither a sync to disk nor a wait for a lock ever stops the event loop that serves requests: the writer, or its reader. */

import type { Database as Sqlite } from 'bun:sqlite';
import { systemClock } from '../../../../platform/clock.ts';
import { systemRandomBytes } from '../../../../platform/random.ts';
import { UnusableDatabase } from '../../migrations.ts';
import type { Row, Statement } from '../database.ts';
import { nextCommit } from './sqlite-commit-group.ts';
import { messageOf, sqliteFault } from './sqlite-errors.ts';
import { NotAlone, SqliteFile } from './sqlite-file.ts';
import { JoinedFile } from './sqlite-joined-file.ts';
import {
  type FromWorker,
  type OpenRequest,
  requestAbandoned,
  requestDone,
  requestWaiting,
  type Told,
  type ToWorker,
  type WorkerReply,
  type WorkerRequest,
  workerBusy,
  workerIdle,
} from './sqlite-messages.ts';
import type { ThreadMachine } from './sqlite-open.ts';
import { SqliteReserve } from './sqlite-reserve.ts';

declare const self: Worker;

/** A thread is a process of its own in this: nothing that was made in another one reaches it. */
const machine: ThreadMachine = { clock: systemClock, randomBytes: systemRandomBytes };

/** Between two tries while somebody else has the lock; SQLite itself waits `busy_timeout` in each. */
const busyPauseMs = 2;
/** No caller waits for it: an undoing. */
const nobody = -1;

type Failure = { readonly fault: ReturnType<typeof sqliteFault>; readonly message: string };

let file: SqliteFile | JoinedFile;
/** The writer's. */
let reserve: SqliteReserve | undefined;
let states: Int32Array<SharedArrayBuffer>;
let reads: WorkerRequest[] = [];
let writes: WorkerRequest[] = [];
let replies: WorkerReply[] = [];
let trouble: Failure | undefined;
let retry: ReturnType<typeof setTimeout> | undefined;
let closing = false;
let hasAskedToBeAlone = false;

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  if ('open' in data) return open(data.open);
  if ('run' in data) for (const request of data.run) (request.writes ? writes : reads).push(request);
  else if ('join' in data)
    say(file instanceof JoinedFile && file.join(data.join.identity) ? { hasFiles: true } : { hasLeft: true });
  else if ('leave' in data) leave();
  else if ('alone' in data) {
    if (file instanceof SqliteFile) file.beAlone();
    hasAskedToBeAlone = false;
  } else closing = true;
  serve();
};

function tell(message: FromWorker): void {
  self.postMessage(message);
}

function say(told: Told): void {
  tell({ told });
}

function open(request: OpenRequest): void {
  states = request.states;
  if (request.readsOnly) {
    file = new JoinedFile(request);
    tell({ opened: { identity: '' } });
    say({ isReady: true });
    return;
  }
  reserve = new SqliteReserve(request.file, request.reserveBytes, machine);
  try {
    const opened = openFile(request, reserve);
    file = opened;
    tell({ opened: { identity: opened.identity } });
    reserve.isWhole();
  } catch (error) {
    const full = sqliteFault(error) === 'full' ? 'its disk is full: ' : '';
    tell({ notOpened: { unusable: error instanceof UnusableDatabase, message: full + messageOf(error) } });
  }
}

/** SQLite writes beside the file even to read it: on a full disk a gateway starts with what is kept back, so that keys go on working, and can be revoked. */
function openFile(request: OpenRequest, kept: SqliteReserve): SqliteFile {
  for (;;)
    try {
      return new SqliteFile(request, machine, () => say({ hasFiles: true }));
    } catch (error) {
      if (sqliteFault(error) !== 'full' || !kept.release()) throw error;
    }
}

/** The reader's: it goes on when it is told to join. */
function leave(): void {
  file.close();
  current = undefined;
  say({ hasLeft: true });
}

/** Reads first: they are short, and must not wait for a commit that was asked for in the same moment. */
function serve(): void {
  Atomics.store(states, states.length - 1, workerBusy);
  clearTimeout(retry);
  retry = undefined;
  reads = reads.filter(isAwaited);
  writes = writes.filter(isAwaited);
  const busy = [serveReads(), serveWrites()].includes('busy');
  if (replies.length > 0) tell({ replies });
  replies = [];
  Atomics.store(states, states.length - 1, reads.length + writes.length > 0 ? workerBusy : workerIdle);
  if (reads.length + writes.length > 0) retry = setTimeout(serve, busy ? busyPauseMs : 0);
  else if (closing) {
    file.close();
    tell({ closed: true });
  }
}

/** Answers those whose deadline has passed, so that their slots are free again, and keeps the rest. */
function isAwaited(request: WorkerRequest): boolean {
  if (!isAbandoned(request)) return true;
  fail(request, 'past its deadline');
  return false;
}

function isAbandoned({ slot }: WorkerRequest): boolean {
  return slot !== nobody && Atomics.load(states, slot) === requestAbandoned;
}

function serveReads(): 'busy' | undefined {
  const waiting = reads;
  reads = [];
  for (const [at, request] of waiting.entries()) {
    const rows = attempt((connection) => request.statements.map((statement) => run(connection, statement)), at === 0);
    if (!('fault' in rows)) {
      Atomics.compareExchange(states, request.slot, requestWaiting, requestDone);
      replies.push({ slot: request.slot, rows });
    } else if (rows.fault === 'busy') {
      reads = waiting.slice(at);
      return 'busy';
    } else fail(request, rows.message, rows.fault);
  }
  return undefined;
}

function serveWrites(): 'busy' | undefined {
  const { group: next, left } = nextCommit(writes);
  writes = left;
  const group = withinReserve(next);
  if (group.length === 0) return undefined;
  const failure = commit(group);
  if (failure === undefined) return undefined;
  if (failure.fault === 'busy') {
    writes = group.concat(writes);
    return 'busy';
  }
  // One of them spoilt it for all, and nothing was committed: each for itself.
  if (group.length > 1)
    for (const request of group) {
      const own = withinReserve([request]).length === 0 ? undefined : commitFromReserve(request);
      if (own?.fault === 'busy') writes.push(request);
      else if (own !== undefined) fail(request, own.message, own.fault);
    }
  else
    for (const request of group) {
      const own = failure.fault === 'full' ? commitFromReserve(request, failure) : failure;
      if (own?.fault === 'busy') writes.push(request);
      else if (own !== undefined) fail(request, own.message, own.fault);
    }
  return undefined;
}

const diskFull: Failure = { fault: 'full', message: 'the disk is full; what is kept back on it is for revocations' };

/** Those that may be written now; the others are answered. */
function withinReserve(group: readonly WorkerRequest[]): readonly WorkerRequest[] {
  if (group.length === 0 || reserve?.isWhole() !== false) return group;
  noteTrouble(diskFull);
  for (const request of group) if (request.usesReserve !== true) fail(request, diskFull.message, diskFull.fault);
  return group.filter(({ usesReserve }) => usesReserve === true);
}

/** Alone; `failure` when that was tried already. */
function commitFromReserve(request: WorkerRequest, failure = commit([request])): Failure | undefined {
  let outcome = failure;
  while (outcome?.fault === 'full' && request.usesReserve === true && reserve?.release()) outcome = commit([request]);
  return outcome;
}

/** All of a group in one transaction; replies when it is durable. A statement that fails alone takes nothing with it but its own request's. */
function commit(group: readonly WorkerRequest[]): Failure | undefined {
  const outcomes = attempt((connection) => {
    connection.run('BEGIN IMMEDIATE');
    try {
      const ran = group.map((request) => (isAbandoned(request) ? undefined : runApart(connection, request)));
      connection.run('COMMIT');
      return ran;
    } catch (error) {
      if (connection.inTransaction) connection.run('ROLLBACK');
      throw error;
    }
  }, true);
  if ('fault' in outcomes) return outcomes;
  // What the reserve was released for says nothing of the disk.
  if (trouble?.fault !== 'full' || group.some(({ usesReserve }) => usesReserve !== true)) noteTrouble(undefined);
  for (const [at, request] of group.entries()) settle(request, outcomes[at]);
  return undefined;
}

function runApart(connection: Sqlite, request: WorkerRequest): readonly (readonly Row[])[] | Failure {
  connection.run('SAVEPOINT request');
  try {
    const refused = request.onlyIf !== undefined && run(connection, request.onlyIf).length === 0;
    const rows = refused ? [] : request.statements.map((statement) => run(connection, statement));
    if (refused) connection.run('ROLLBACK TO request');
    connection.run('RELEASE request');
    return rows;
  } catch (error) {
    const failure = failureOf(error);
    if (failure.fault !== 'bug' || !connection.inTransaction) throw error;
    connection.run('ROLLBACK TO request');
    connection.run('RELEASE request');
    return failure;
  }
}

function settle(request: WorkerRequest, outcome: readonly (readonly Row[])[] | Failure | undefined): void {
  if (outcome === undefined) fail(request, 'past its deadline');
  else if ('fault' in outcome) fail(request, outcome.message, outcome.fault);
  else if (request.slot !== nobody) {
    const before = Atomics.compareExchange(states, request.slot, requestWaiting, requestDone);
    // Its caller was told that it failed: so it has to have.
    if (before === requestAbandoned && request.undo !== undefined && outcome.length > 0) {
      writes.push({ slot: nobody, writes: true, usesReserve: true, statements: [request.undo] });
    }
    replies.push({ slot: request.slot, rows: outcome });
  }
}

function fail({ slot }: WorkerRequest, message: string, fault: Failure['fault'] = 'broken'): void {
  const failure = fault === 'bug' ? 'bug' : file instanceof JoinedFile ? 'elsewhere' : 'unavailable';
  if (slot !== nobody) replies.push({ slot, failure, message });
}

let current: Sqlite | undefined;

/** Runs `work` on the connection; `afresh` looks at the file again first, otherwise the last look of this round holds. */
function attempt<T extends object>(work: (connection: Sqlite) => T, afresh: boolean): T | Failure {
  try {
    if (afresh || current === undefined) current = file.connection();
    const result = work(current);
    // A full disk still reads: only `commit` knows that it is over.
    if (trouble?.fault === 'broken') noteTrouble(undefined);
    return result;
  } catch (error) {
    const failure = failureOf(error);
    if (failure.fault === 'broken' || failure.fault === 'full') noteTrouble(failure);
    if (failure.fault === 'broken') {
      current = undefined;
      if (file instanceof JoinedFile) {
        if (file.isOpen) leave();
      } else if (!(error instanceof UnusableDatabase)) file.suspect();
    }
    return failure;
  }
}

function run(connection: Sqlite, { text, values, idleUnless }: Statement): readonly Row[] {
  if (idleUnless !== undefined && run(connection, idleUnless).length === 0) return [];
  return connection.query<Row, (string | number | null)[]>(text).all(...values);
}

function failureOf(error: unknown): Failure {
  if (error instanceof NotAlone) {
    if (!hasAskedToBeAlone) say({ wantsToBeAlone: true });
    hasAskedToBeAlone = true;
    return { fault: 'busy', message: error.message };
  }
  const fault = error instanceof UnusableDatabase ? 'broken' : isWriteByReader(error) ? 'bug' : sqliteFault(error);
  return { fault, message: messageOf(error) };
}

/** `query_only`: no statement that the writer should run after all. */
function isWriteByReader(error: unknown): boolean {
  return file instanceof JoinedFile && /readonly/.test(messageOf(error));
}

function noteTrouble(now: Failure | undefined): void {
  // What the reader cannot do the writer is asked for, and tells.
  if (file instanceof JoinedFile || now?.message === trouble?.message) return;
  trouble = now;
  say({ trouble: now?.message });
}
