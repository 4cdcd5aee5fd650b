/**
 * The open event streams (Server-Sent Events): their maximum number, and their end by the reader, by the gateway's shutdown, or because the credential is no
 * longer valid.
 */

import type { Clock } from '@flowgate/base/clock';
import { refused } from '@flowgate/base/result';
import { Tally } from '@flowgate/base/tally';
import type { Authentication, Authenticator, CredentialSource } from '../../api/authenticator.ts';
import type { Credential } from '../../api/credential.ts';
import type { RouteRefusal, StreamBody } from '../../api/route.ts';

export type OpenStreams = {
  /** A body to send, or the reason for refusing the stream. */
  readonly open: (owner: StreamOwner, begin: StreamBody) => ReadableStream<Uint8Array> | RouteRefusal;
  /** Ends all streams. Readers are expected to reconnect. */
  readonly endAll: () => void;
  /** Ends all streams and refuses new ones. */
  readonly close: () => void;
  readonly count: () => number;
};

export type StreamOwner = {
  readonly userId: string;
  /** Verified again while the stream is open, which is not charged to the user. */
  readonly credential: Credential;
  /** Called when the gateway ends the stream: the connection must not wait for a reader that reads nothing. */
  readonly letGo: () => void;
};

export type OpenStreamsOptions = {
  readonly authenticator: Authenticator;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** For one user on this node; default 20. */
  readonly perUser?: number;
  /** Milliseconds after which a connection whose reader reads nothing is closed; a live client reconnects and resumes. Default 30 seconds. */
  readonly stalledAfterMs?: number;
  /** For all users on this node; default 10,000. */
  readonly perNode?: number;
  /** Calls a function regularly until the returned function is called; default: the runtime's timer. */
  readonly every?: (ms: number, run: () => void) => () => void;
};

/** How often to check whether any node revoked a key; when none did, the check compares two numbers. */
const lookEveryMs = 250;
/** Tokens and keys expire without a notification, so each credential is verified again after this time. */
const verifyAfterMs = 15_000;
/** The writer is paused when this many bytes wait for its reader. */
const bufferedBytes = 16_384;
/** Failed verifications of streams' credentials are not attributed to a client address. */
const ownAddress: CredentialSource = { clientAddress: () => 'open streams' };

type Open = {
  readonly owner: StreamOwner;
  readonly finish: (cause?: Error) => void;
  verifiedAtMs: number;
  seenChanges: number;
  fullSinceMs: number | undefined;
};

export function createOpenStreams(options: OpenStreamsOptions): OpenStreams {
  const { authenticator, clock, every = unreferencedInterval } = options;
  const { stalledAfterMs = 30_000, perUser = 20, perNode = 10_000 } = options;
  const streams = new Set<Open>();
  const ofUser = new Tally();
  let stopLooking: (() => void) | undefined;
  let closed = false;

  function look(): void {
    const nowMs = clock.monotonic();
    const changes = authenticator.keyChanges();
    for (const stream of streams) {
      if (stream.fullSinceMs !== undefined && nowMs - stream.fullSinceMs >= stalledAfterMs) {
        stream.finish(new Error('the reader of a stream reads nothing'));
        continue;
      }
      const isKey = stream.owner.credential.kind === 'api-key';
      if (nowMs - stream.verifiedAtMs < verifyAfterMs && !(isKey && stream.seenChanges !== changes)) continue;
      stream.verifiedAtMs = nowMs;
      stream.seenChanges = changes;
      const found = authenticator.authenticate(stream.owner.credential, ownAddress);
      // A credential that cannot be verified now is not invalid: the stream stays open.
      if (found instanceof Promise) found.then((settled) => evaluate(stream, settled), ignore);
      else evaluate(stream, found);
    }
  }

  function enter(stream: Open): void {
    streams.add(stream);
    const { userId } = stream.owner;
    ofUser.add(userId);
    stopLooking ??= every(lookEveryMs, look);
  }

  function leave(stream: Open): void {
    if (!streams.delete(stream)) return;
    const { userId } = stream.owner;
    ofUser.remove(userId);
    if (streams.size > 0) return;
    stopLooking?.();
    stopLooking = undefined;
  }

  function endAll(): void {
    for (const { finish } of [...streams]) finish();
  }

  return {
    open(owner, begin) {
      if (closed) return refused('unavailable', 'The gateway is shutting down.');
      if (streams.size >= perNode)
        return refused('unavailable', 'This gateway has its maximum number of open streams: retry later.');
      if (ofUser.of(owner.userId) >= perUser)
        return {
          ...refused('conflict', `${perUser} of your streams are open, which is the maximum: close one.`),
          retryable: true,
        };
      return streamOf(begin, clock.monotonic, (finish) => {
        const stream: Open = {
          owner,
          finish,
          verifiedAtMs: clock.monotonic(),
          seenChanges: authenticator.keyChanges(),
          fullSinceMs: undefined,
        };
        enter(stream);
        const left = () => {
          leave(stream);
          owner.letGo();
        };
        return { stream, left };
      });
    },
    endAll,
    close() {
      closed = true;
      endAll();
    },
    count: () => streams.size,
  };
}

const encoder = new TextEncoder();

/** The stream itself. Whichever side ends it first, the writer is notified once and the slot is released once. */
function streamOf(
  begin: StreamBody,
  nowMs: () => number,
  register: (finish: (cause?: Error) => void) => { readonly stream: Open; readonly left: () => void },
): ReadableStream<Uint8Array> {
  let room: () => void = () => {};
  let ended: (cause?: Error) => void = () => {};
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let over = false;
        let end: () => void = () => {};
        const finish = (cause?: Error) => {
          if (over) return;
          over = true;
          left();
          if (cause === undefined) closeQuietly(controller);
          else controller.error(cause);
          end();
        };
        ended = finish;
        const { stream, left } = register(finish);
        const writer = begin({
          write(text) {
            if (over) return false;
            controller.enqueue(encoder.encode(text));
            const hasRoom = (controller.desiredSize ?? 0) > 0;
            if (!hasRoom) stream.fullSinceMs ??= nowMs();
            return hasRoom;
          },
          end: () => finish(),
        });
        end = writer.onEnd;
        room = () => {
          if (stream.fullSinceMs === undefined) return;
          stream.fullSinceMs = undefined;
          writer.onRoom();
        };
        if (over) end();
      },
      pull: () => room(),
      cancel: () => ended(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: bufferedBytes }),
  );
}

/** A stream that its reader has canceled is already closed. */
function closeQuietly(controller: ReadableStreamDefaultController<Uint8Array>): void {
  try {
    controller.close();
  } catch {}
}

function evaluate(stream: Open, found: Authentication): void {
  if (found.kind === 'caller' ? found.caller.userId !== stream.owner.userId : found.kind === 'limited') stream.finish();
  else if (found.kind === 'refused' && found.reason === 'credential-invalid') stream.finish();
}

function unreferencedInterval(ms: number, run: () => void): () => void {
  const timer = setInterval(run, ms);
  timer.unref();
  return () => clearInterval(timer);
}

function ignore(): void {}
