/** A thread for SQLite, so that neither a sync to disk nor a wait for a lock ever blocks the event loop that serves requests: the writer, or the reader. */

import { systemClock } from '@flowgate/base/clock';
import { systemRandomBytes } from '@flowgate/base/random';
import { messageOf } from '@flowgate/base/text';
import { UnusableDatabase } from '../unusable-database.ts';
import { encodeReplies, RequestDecoder } from './sqlite-codec.ts';
import { runStatement, SqliteConnection } from './sqlite-connection.ts';
import { sqliteFault } from './sqlite-errors.ts';
import { SqliteFile } from './sqlite-file.ts';
import { JoinedFile } from './sqlite-joined-file.ts';
import type { FromWorker, OpenRequest, Reported, ToWorker, WorkerRequest } from './sqlite-messages.ts';
import type { ThreadMachine } from './sqlite-open.ts';
import { SqliteReplies } from './sqlite-replies.ts';
import { SqliteReserve } from './sqlite-reserve.ts';
import { SqliteWriter } from './sqlite-writer.ts';

declare const self: Worker;

/** A thread has its own clock and randomness: functions cannot be passed to it. */
const machine: ThreadMachine = { clock: systemClock, randomBytes: systemRandomBytes };

/** Milliseconds between two attempts while another process has the lock; SQLite itself waits `busy_timeout` in each. */
const busyPauseMs = 2;

let connection: SqliteConnection;
let replies: SqliteReplies;
let writer: SqliteWriter;
const decoder = new RequestDecoder();
let reads: WorkerRequest[] = [];
let retry: ReturnType<typeof setTimeout> | undefined;
let isServing = false;
let closing = false;

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  if ('open' in data) return open(data.open);
  // Messages that arrive after a failed opening, until the thread is ended.
  if (!isServing) return;
  if ('run' in data) accept(decoder.decode(data.run));
  else if ('join' in data) connection.join(data.join.identity);
  else if ('leave' in data) connection.leave();
  else if ('alone' in data) connection.noteOthersClosed();
  else closing = true;
  serve();
};

function accept(requests: readonly WorkerRequest[]): void {
  for (const request of requests)
    if (request.writes) writer.add(request);
    else reads.push(request);
}

function report(message: FromWorker): void {
  self.postMessage(message);
}

function say(reported: Reported): void {
  report({ reported });
}

function open(request: OpenRequest): void {
  replies = new SqliteReplies(request.states, request.readsOnly ? 'elsewhere' : 'unavailable');
  if (request.readsOnly) {
    serveWith(new JoinedFile(request), undefined);
    report({ opened: { identity: '' } });
    say({ isReady: true });
    return;
  }
  const reserve = new SqliteReserve(request.file, request.reserveBytes, machine);
  try {
    const file = openFile(request, reserve);
    serveWith(file, reserve);
    report({ opened: { identity: file.identity } });
    reserve.isWhole();
  } catch (error) {
    const full = sqliteFault(error) === 'full' ? 'its disk is full: ' : '';
    report({ notOpened: { unusable: error instanceof UnusableDatabase, message: full + messageOf(error) } });
  }
}

function serveWith(file: SqliteFile | JoinedFile, reserve: SqliteReserve | undefined): void {
  connection = new SqliteConnection(file, say);
  writer = new SqliteWriter(connection, replies, reserve);
  isServing = true;
}

/**
 * SQLite writes next to the file even to read it. On a full disk a gateway starts with the help of the reserve, so that
 * keys are accepted and can be revoked.
 */
function openFile(request: OpenRequest, reserve: SqliteReserve): SqliteFile {
  for (;;)
    try {
      return new SqliteFile(request, machine, () => say({ hasFiles: true }));
    } catch (error) {
      if (sqliteFault(error) !== 'full' || !reserve.release()) throw error;
    }
}

/** Reads first: they are short, and must not wait for a commit that was requested at the same moment. */
function serve(): void {
  replies.noteWork(true);
  clearTimeout(retry);
  retry = undefined;
  const busy = [serveReads(), writer.serve()].includes('busy');
  const answered = replies.take();
  if (answered.length > 0) report({ replies: encodeReplies(answered) });
  const isIdle = reads.length === 0 && writer.isIdle;
  replies.noteWork(!isIdle);
  if (!isIdle) retry = setTimeout(serve, busy ? busyPauseMs : 0);
  else if (closing) {
    connection.close();
    report({ closed: true });
  }
}

function serveReads(): 'busy' | undefined {
  const waiting = replies.awaited(reads);
  reads = [];
  for (const [at, request] of waiting.entries()) {
    const rows = connection.attempt(
      (open) => request.statements.map((statement) => runStatement(open, statement)),
      at === 0,
    );
    if (!('fault' in rows)) replies.succeed(request, rows);
    else if (rows.fault === 'busy') {
      reads = waiting.slice(at);
      return 'busy';
    } else replies.fail(request, rows.message, rows.fault);
  }
  return undefined;
}
