/**
 * One connection to Redis from its greeting to its end. No call is queued before it is open, no command is sent twice,
 * and silence ends it.
 */

import type { Clock } from '@flowgate/base/clock';
import { Unavailable } from '@flowgate/base/unavailable';
import { RedisClient } from 'bun';

export type RedisSessionOptions = {
  /** `redis://` or `rediss://`, with user, password and database number. */
  readonly url: string;
  /**
   * A call that is not answered in this time ends the connection: replies arrive in order, so all later calls wait as
   * well.
   */
  readonly callTimeoutMs: number;
  /** Milliseconds until TCP, TLS and greeting are done. */
  readonly connectTimeoutMs: number;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Called once, when an open session ends for any reason. */
  readonly onClosed: (reason: string) => void;
};

export type RedisSession = {
  /** Sends at once, in the order of the calls, once. Rejects with `Unavailable`; for an error reply, `cause` is that error. */
  send<T>(command: string, args: string[], read: (reply: unknown) => T): Promise<T>;
  /** Resolves when the subscription is active. */
  subscribe(channel: string, onMessage: (message: string) => void): Promise<void>;
  /** Fails every call in progress. */
  close(reason: string): void;
};

/** The number of checks within the time of one call. */
const ticks = 4;

/** Rejects with `Unavailable` when Redis does not answer, refuses the credentials, or takes too long. */
export async function openRedisSession(options: RedisSessionOptions): Promise<RedisSession> {
  const { address, database } = addressOf(options.url);
  const client = new RedisClient(address, {
    autoReconnect: false,
    enableOfflineQueue: false,
    maxRetries: 0,
    connectionTimeout: options.connectTimeoutMs,
  });
  let state: 'opening' | 'open' | 'closed' = 'opening';
  let reasonToClose: string | undefined;
  let sent = 0;
  let settled = 0;
  const close = (reason: string) => {
    reasonToClose ??= reason;
    client.close();
  };
  const watch = createWatch(options, () => ({ sent, settled }), close);
  client.onclose = (error) => {
    watch.stop();
    const wasOpen = state === 'open';
    state = 'closed';
    if (wasOpen) options.onClosed(reasonToClose ?? error.message);
  };

  const answered = async <T>(pending: Promise<T>): Promise<T> => {
    try {
      return await pending;
    } finally {
      settled += 1;
    }
  };
  const expectReply = () => {
    sent += 1;
    watch.run();
  };
  const session: RedisSession = {
    send(command, args, read) {
      expectReply();
      return client.send(command, args).then(
        (reply: unknown) => {
          settled += 1;
          return read(reply);
        },
        (error: unknown) => {
          settled += 1;
          throw unavailable(reasonToClose, error);
        },
      );
    },
    async subscribe(channel, onMessage) {
      expectReply();
      try {
        await answered(client.subscribe(channel, onMessage));
      } catch (error) {
        throw unavailable(reasonToClose, error);
      }
    },
    close,
  };
  try {
    await client.connect();
    if (database !== '0') await session.send('SELECT', [database], () => undefined);
    if (!client.connected) throw new Error('closed right after its greeting');
  } catch (error) {
    close('not opened');
    throw error instanceof Unavailable ? error : unavailable(undefined, error);
  }
  state = 'open';
  return session;
}

/** The first word of an error reply (`NOSCRIPT`, `READONLY`, `OOM`); undefined when the call failed in another way. */
export function errorReplyOf(error: unknown): string | undefined {
  if (!(error instanceof Unavailable) || !(error.cause instanceof Error)) return undefined;
  const { cause } = error;
  return 'code' in cause && cause.code === 'ERR_REDIS_SERVER_ERROR' ? cause.message.split(' ')[0] : undefined;
}

function unavailable(reason: string | undefined, error: unknown): Unavailable {
  return new Unavailable('redis', reason ?? (error instanceof Error ? error.message : 'failed'), { cause: error });
}

/**
 * The database is selected by a command of our own: the client does not report when Redis refuses the one in the URL.
 */
function addressOf(url: string): { address: string; database: string } {
  const parsed = new URL(url);
  const database = parsed.pathname.replaceAll('/', '');
  parsed.pathname = '';
  return { address: parsed.href, database: database === '' ? '0' : database };
}

/**
 * Checks a few times within each call's time whether calls from that long ago were answered. A call only increments a
 * counter.
 */
function createWatch(
  { callTimeoutMs, clock }: RedisSessionOptions,
  progress: () => { sent: number; settled: number },
  close: (reason: string) => void,
) {
  const tickMs = callTimeoutMs / ticks;
  let sentAt: number[] = [];
  let timer: ReturnType<typeof setInterval> | undefined;
  let lastTick = 0;
  let excused = false;

  const stop = () => {
    clearInterval(timer);
    timer = undefined;
    sentAt = [];
  };
  const tick = () => {
    const { sent, settled } = progress();
    const now = clock.monotonic();
    // The event loop was blocked, so the answer may be waiting at the socket. Excused only once, so that a busy process
    // still detects silence.
    const late = now - lastTick > 2 * tickMs && !excused;
    excused = late;
    lastTick = now;
    const due = sentAt.length >= ticks ? sentAt.shift() : undefined;
    sentAt.push(sent);
    if (settled === sent) stop();
    else if (!late && due !== undefined && settled < due) close(`no answer within ${callTimeoutMs} ms`);
  };
  return {
    stop,
    run() {
      if (timer !== undefined) return;
      lastTick = clock.monotonic();
      timer = setInterval(tick, tickMs);
      timer.unref();
    },
  };
}
