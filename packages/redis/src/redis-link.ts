/**
 * Maintains a connection to Redis and reconnects with growing pauses. Redis counts as unavailable until `prove`
 * succeeds in time.
 */

import { connect as connectPlain } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { backOffMs } from '@flowgate/async/back-off';
import type { Clock } from '@flowgate/base/clock';
import { messageOf } from '@flowgate/base/text';
import type { Log } from '@flowgate/telemetry/log';
import { openRedisSession, type RedisSession } from './redis-session.ts';

export type RedisOptions = {
  /** `redis://` or `rediss://`, with user, password and database number; Redis 7 or Valkey. */
  readonly url: string;
  /** Milliseconds for a call. A request waits for this time at most once. */
  readonly callTimeoutMs?: number;
  readonly connectTimeoutMs?: number;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly log: Pick<Log, 'info' | 'warn'>;
};

export type RedisLinkOptions = RedisOptions & {
  /** For the log: the function that is unavailable together with Redis. */
  readonly purpose: string;
  /** Tries the needed operation on a new session. When it rejects, Redis counts as unavailable. */
  readonly prove: (session: RedisSession) => Promise<void>;
};

export const defaultCallTimeoutMs = 100;
const defaultConnectTimeoutMs = 1_000;
const pauses = { firstMs: 50, maxMs: 1_000 };
/** After a connection that lasted this long the pauses start again. */
const steadyMs = 5_000;

export class RedisLink {
  readonly #options: RedisLinkOptions;
  readonly #firstTry = Promise.withResolvers<void>();
  #session: RedisSession | undefined;
  #sessions = 0;
  #openedAtMs = 0;
  /** The number of pauses since the last steady connection. */
  #paused = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;
  #reportedUnavailable = false;

  constructor(options: RedisLinkOptions) {
    this.#options = options;
    void this.#open();
  }

  /** The session, once `prove` has succeeded and until it ends. */
  get session(): RedisSession | undefined {
    return this.#session;
  }

  /** 0 while unavailable; otherwise the number of this connection. */
  get epoch(): number {
    return this.#session === undefined ? 0 : this.#sessions;
  }

  /** Resolves when the first attempt has succeeded or failed. */
  get tried(): Promise<void> {
    return this.#firstTry.promise;
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#firstTry.resolve();
    this.#session?.close('closed');
  }

  async #open(): Promise<void> {
    const { url, clock, prove, connectTimeoutMs = defaultConnectTimeoutMs } = this.#options;
    let session: RedisSession | undefined;
    let ended: string | undefined;
    try {
      session = await openRedisSession({
        url,
        clock,
        callTimeoutMs: this.#options.callTimeoutMs ?? defaultCallTimeoutMs,
        connectTimeoutMs,
        onClosed: (reason) => {
          ended = reason;
          if (session !== undefined && session === this.#session) this.#lost(reason);
        },
      });
      await prove(session);
      if (ended !== undefined) throw new Error(ended);
      if (this.#closed) return session.close('closed');
      this.#ready(session);
    } catch (error) {
      session?.close('not usable');
      const reason = messageOf(error);
      // Once per outage: the client itself only reports that the connection was closed.
      const asked = session === undefined && !this.#reportedUnavailable && !this.#closed;
      this.#becomeUnavailable((asked ? await greetingError(url, connectTimeoutMs) : undefined) ?? reason);
    } finally {
      this.#firstTry.resolve();
    }
  }

  #ready(session: RedisSession): void {
    this.#session = session;
    this.#sessions += 1;
    this.#openedAtMs = this.#options.clock.monotonic();
    this.#reportedUnavailable = false;
    this.#options.log.info('redis.ready', { purpose: this.#options.purpose });
  }

  #lost(reason: string): void {
    this.#session = undefined;
    if (this.#options.clock.monotonic() - this.#openedAtMs >= steadyMs) this.#paused = 0;
    this.#becomeUnavailable(reason);
  }

  #becomeUnavailable(reason: string): void {
    if (this.#closed) return;
    if (!this.#reportedUnavailable)
      this.#options.log.warn('redis.unavailable', { purpose: this.#options.purpose, reason });
    this.#reportedUnavailable = true;
    this.#paused += 1;
    this.#timer = setTimeout(() => void this.#open(), backOffMs(pauses, this.#paused));
    this.#timer.unref();
  }
}

/**
 * Finds the reason, for the operator, why a connection to Redis cannot be opened: the client reports only that it was
 * closed. Sends one greeting over a connection of its own. Returns the error that Redis sends, without any secret;
 * undefined when there is none within the time.
 */
function greetingError(url: string, timeoutMs: number): Promise<string | undefined> {
  const parsed = URL.parse(url);
  if (parsed === null) return Promise.resolve('the address is not a URL');
  const { protocol, hostname, port, username, password } = parsed;
  const secure = ['rediss:', 'valkeys:', 'redis+tls:'].includes(protocol);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const to = { host, port: Number(port === '' ? 6379 : port) };
  const words = ['HELLO', '3'];
  if (password !== '') words.push('AUTH', username === '' ? 'default' : decoded(username), decoded(password));

  return new Promise((resolve) => {
    const greet = () => {
      socket.write(`*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`);
    };
    const socket = secure ? connectTls({ ...to, servername: host }, greet) : connectPlain(to, greet);
    const end = (reason: string | undefined) => {
      socket.destroy();
      resolve(reason);
    };
    socket.setTimeout(timeoutMs, () => end(`no greeting within ${timeoutMs} ms`));
    socket.on('error', (error: Error & { code?: string }) =>
      end(error.code === 'ECONNREFUSED' ? 'connection refused' : `${error.message || error.code}`),
    );
    socket.on('close', () => end('closed without a greeting'));
    let text = '';
    socket.on('data', (piece: Buffer) => {
      text += piece.toString('latin1');
      if (text.includes('\n')) end(text.startsWith('-') ? text.slice(1, text.indexOf('\n')).trim() : undefined);
    });
  });
}

/** A percent sign that encodes nothing is read as itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
