/**
 * One connection to PostgreSQL from its greeting to its end. It never reconnects by itself, and never sends a statement
 * twice.
 */

import { Unavailable } from '@flowgate/base/unavailable';
import { type ReservedSQL, SQL } from 'bun';
import type { Row, Statement } from '../database.ts';
import { postgresPlaceholders } from '../dialect.ts';
import { integerOf } from '../row.ts';
import type { PostgresAddress } from './postgres-address.ts';

export type SessionOptions = {
  readonly address: PostgresAddress;
  /** Milliseconds until TCP, TLS, password and the first answer are done. */
  readonly connectTimeoutMs: number;
};

/** The server process of a connection: a process id alone may be reused. */
export type Backend = { readonly pid: number; readonly startedAtUs: number };

/** The time for which a transaction can hold its locks while its gateway is suspended. */
const idleInTransactionMs = 2_000;

/** Statements with PostgreSQL's placeholders. The map needs no limit: the texts are the stores' own, so they are few. */
const translated = new Map<string, string>();

export class PostgresSession {
  readonly #client: SQL;
  readonly #link: ReservedSQL;
  readonly #ended = Promise.withResolvers<string>();
  #isOpen = true;
  #begin = 'BEGIN';
  #backend: Backend = { pid: 0, startedAtUs: 0 };

  private constructor(client: SQL, link: ReservedSQL) {
    this.#client = client;
    this.#link = link;
  }

  /** Rejects with Bun's error when there is no connection. */
  static async open(options: SessionOptions): Promise<PostgresSession> {
    const { address, connectTimeoutMs } = options;
    let session: PostgresSession | undefined;
    const client = new SQL({
      adapter: 'postgres',
      // Always given: otherwise Bun takes DATABASE_URL and the like from the environment, and their parameters into every connection.
      url: `postgres://${address.host.includes(':') ? `[${address.host}]` : address.host}:${address.port}/`,
      hostname: address.host,
      port: address.port,
      username: address.user,
      // A function, because Bun replaces an empty password by one of the environment.
      password: () => address.password,
      database: address.database,
      tls: address.sslRootCert === undefined ? address.sslMode : tlsWith(address.sslRootCert, address.sslMode),
      max: 1,
      idleTimeout: 0,
      maxLifetime: 0,
      connectionTimeout: connectTimeoutMs / 1000,
      connection: {
        application_name: 'flowgate',
        idle_in_transaction_session_timeout: `${idleInTransactionMs}ms`,
        default_transaction_isolation: 'read committed',
      },
      onclose: (error) => session?.close(error?.message ?? 'closed'),
    });
    // Bun's time limit ends with the greeting; a server may stop answering after it.
    const timer = setTimeout(() => session?.close('no answer in time while connecting'), connectTimeoutMs);
    try {
      session = new PostgresSession(client, await client.reserve());
      session.#backend = await session.#askBackend();
      return session;
    } catch (error) {
      await client.close({ timeout: 0 });
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  get backend(): Backend {
    return this.#backend;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Resolves with the reason when the connection has ended, whichever side ended it. */
  get ended(): Promise<string> {
    return this.#ended.promise;
  }

  /** Sends at once, in the order of the calls, without waiting for earlier ones. Rejects with Bun's error. */
  send({ text, values }: Statement): Promise<readonly Row[]> {
    if (!this.#isOpen) return Promise.reject(new Unavailable('database', 'the connection is closed'));
    let numbered = translated.get(text);
    if (numbered === undefined) {
      numbered = postgresPlaceholders(text);
      translated.set(text, numbered);
    }
    return this.#link.unsafe<Row[]>(numbered, [...values]).execute();
  }

  /** Ends the transaction. Resolves with whether it was committed: in an aborted transaction the server answers COMMIT with success and rolls back. Rejects with Bun's error. */
  async commit(): Promise<boolean> {
    const answer = await this.send({ text: 'COMMIT', values: [] });
    return 'command' in answer && answer.command === 'COMMIT';
  }

  async #askBackend(): Promise<Backend> {
    const [row] = await this.send({ text: backendText, values: [] });
    if (row === undefined) throw new Unavailable('database', 'it does not see its own connection');
    return { pid: integerOf(row, 'pid'), startedAtUs: integerOf(row, 'started_at_us') };
  }

  /** From now on the server cancels a statement that takes longer. */
  async limitStatementsTo(ms: number): Promise<void> {
    await this.send({ text: "SELECT set_config('statement_timeout', ?, false)", values: [String(Math.max(1, ms))] });
  }

  /**
   * From now on a statement outside of a transaction cannot write. Statements are sent before `BEGIN` is answered: if
   * the server cancels `BEGIN`, each of them would otherwise be committed by itself, although its caller receives an
   * error. Where the operator has made the database read-only, transactions stay so.
   */
  async writeOnlyInTransactions(): Promise<void> {
    const [row] = await this.send({
      text: `SELECT current_setting('default_transaction_read_only') AS given, set_config('default_transaction_read_only', 'on', false)`,
      values: [],
    });
    if (row?.['given'] === 'off') this.#begin = 'BEGIN READ WRITE';
  }

  /** The statement that begins a transaction which may write. */
  get begin(): string {
    return this.#begin;
  }

  /** Ends the connection at once; calls in progress reject. */
  close(reason: string): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#ended.resolve(reason);
    void this.#client.close({ timeout: 0 });
  }
}

const backendText = `SELECT pid, CAST(EXTRACT(EPOCH FROM backend_start) * 1000000 AS BIGINT) AS started_at_us
  FROM pg_stat_activity WHERE pid = pg_backend_pid()`;

function tlsWith(rootCert: string, sslMode: string) {
  const ca = Bun.file(rootCert);
  return sslMode === 'verify-ca' ? { ca, checkServerIdentity: () => undefined } : { ca };
}
