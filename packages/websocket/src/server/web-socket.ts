/**
 * One WebSocket connection of a caller (RFC 6455): incoming messages, answers and notifications, and each way in which
 * it ends (contract/websocket#closing). Longer than other files, because it is one state machine.
 */

import { type TurnBudget, type WaitingReader, workUnits } from '@flowgate/async/turn-budget';
import type { ChunkSource } from '@flowgate/bytes/buffered-body';
import type { ByteBudget } from '@flowgate/bytes/byte-budget';
import type { ByteContent } from '@flowgate/bytes/byte-content';
import { ChargedLevel } from '@flowgate/bytes/charged-level';
import type { ConnectionSocket, TakenConnection } from '@flowgate/http1/server/taken-connection';
import { opcodes } from '../client/frame-writer.ts';
import { closeCodes, closeData, credentialEndedText, noCode } from './close-codes.ts';
import { ControlFrameRate } from './control-frame-rate.ts';
import { IncomingFrames } from './incoming-frames.ts';
import { type MessageServer, maxCallsInFlight, type SocketAnswer, type SocketMessage } from './message-server.ts';
import { OutgoingFrames } from './outgoing-frames.ts';
import { goneAfterMs, pausedPongEveryMs, pingEveryMs, type WebSocketLimits } from './web-socket-limits.ts';
import { closeCodeOf } from './ws-frames.ts';

export type WebSocketDeps = {
  readonly limits: WebSocketLimits;
  readonly userId: string;
  /** Charged for messages that are arriving or being answered; shared with request bodies. */
  readonly bodies: ByteBudget;
  /** Charged for bytes that wait for callers who do not read. */
  readonly backlog: ByteBudget;
  /** Copies the content into pieces that are charged to the user; undefined when there is no room. */
  readonly chargedPieces: (userId: string, content: ByteContent) => ChunkSource | undefined;
  /** Frames and messages are read within this budget of the event loop. */
  readonly turns: TurnBudget;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** When the credential expires, on the clock of `now`. */
  readonly expiresAtMs: number | undefined;
  /** Calls `flush` soon, in a slice of time that all connections share. */
  readonly flushSoon: (socket: WebSocket) => void;
  readonly left: (socket: WebSocket) => void;
};

/** The maximum number of bytes that wait for a caller (contract/websocket#slow-readers). */
const maxWaitingBytes = 1_048_576;
/** No further message is answered while more than this waits for its caller. */
const fullBytes = 262_144;
/** Time for the other side to answer a close frame, and to fetch the bytes that wait before it. */
const closingMs = 10_000;
/** An answer up to this length is queued for a slow reader without being charged as a large one. */
const smallBytes = 8_192;
/** Buffered bytes of messages are charged beyond this. */
const countedSteps = { freeBytes: 65_536, stepBytes: 1 };

const noData = new Uint8Array();
/** `closing`: a close frame was sent, and the other side's is awaited. `over`: both have closed. */
type State = 'open' | 'closing' | 'over';

export class WebSocket implements TakenConnection, WaitingReader {
  #state: State = 'open';
  readonly #in: IncomingFrames;
  readonly #out: OutgoingFrames;
  #server: MessageServer | undefined;
  #messages: SocketMessage[] = [];
  /** Notifications wait unwritten until they are sent, so that a result is not copied for each subscriber earlier. */
  #notifications: ByteContent[] = [];
  #notificationBytes = 0;
  /** The bytes of complete messages that are not answered. */
  #messageBytes = 0;
  readonly #charged: ChargedLevel;
  /** Messages are served in a later turn of the event loop. */
  #isWaiting = false;
  readonly #controlFrames: ControlFrameRate;
  #isServing = false;
  #heardMs: number;
  #pingMs: number;
  /** When the last unsolicited pong was sent. */
  #pongMs = 0;
  #isPingDue = false;
  /** Since when a message is incomplete. */
  #partialSinceMs: number | undefined;
  #closeByMs = Number.POSITIVE_INFINITY;
  /** Set while the connection closes as soon as nothing is in progress. */
  #leaves: { readonly code: number; readonly reason: string } | undefined;

  constructor(
    private readonly socket: ConnectionSocket,
    private readonly nowMs: () => number,
    private readonly deps: WebSocketDeps,
  ) {
    const { limits, turns, userId, backlog, bodies } = deps;
    this.#charged = new ChargedLevel(bodies, userId, countedSteps);
    this.#out = new OutgoingFrames(socket, { budget: backlog, userId }, nowMs, this.#flushLater);
    this.#in = new IncomingFrames(limits.maxMessageBytes, {
      message: (bytes, isBinary) => this.#arrived({ bytes, isBinary }),
      ping: (data) => this.#pong(data),
      pong: () => this.#countControl(),
      conclude: (code) => this.#concluded(code),
      error: (cause) => this.#fail(closeCodeOf(cause), 'The frames are not valid, or too large.'),
      isFull: () => this.#isFull,
      bufferedChanged: () => this.#haveRead(),
      pause: () => socket.pause(),
      resume: () => socket.resume(),
      turns,
    });
    this.#heardMs = nowMs();
    this.#controlFrames = new ControlFrameRate(this.#heardMs);
    this.#pingMs = this.#heardMs;
  }

  /** To be called once, before any bytes arrive. */
  begin(server: MessageServer): void {
    this.#server = server;
  }

  get isAnswering(): boolean {
    return this.#server !== undefined && this.#server.callsInFlight() > 0;
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  data(piece: Buffer): void {
    this.#heardMs = this.nowMs();
    this.#in.add(piece);
  }

  /** WebSocket has no half-closed connections: a caller that has closed its side without a close frame is gone. */
  end(): void {
    if (this.#state !== 'over' || this.#out.isEmpty) this.terminate();
  }

  drain(): void {
    this.#heardMs = this.nowMs();
    this.flush();
  }

  closed(): void {
    if (this.#server === undefined) return;
    const server = this.#server;
    this.#server = undefined;
    this.#state = 'over';
    this.#in.close();
    this.deps.turns.leave(this);
    this.#out.drop();
    this.#messages = [];
    this.#notifications = [];
    this.#notificationBytes = 0;
    this.#messageBytes = 0;
    this.#charged.set(0);
    server.ended();
    this.deps.left(this);
  }

  terminate(): void {
    this.closed();
    this.socket.terminate();
  }

  check(nowMs: number): void {
    const { isPaused } = this.#in;
    // While a connection is paused, its caller cannot be heard.
    const isSilent = !isPaused && nowMs - this.#heardMs >= goneAfterMs;
    if (this.#out.isTooSlow(nowMs, this.deps.limits) || isSilent || nowMs > this.#closeByMs) {
      this.terminate();
      return;
    }
    if (this.#state !== 'open') return;
    const { expiresAtMs, now } = this.deps;
    if (expiresAtMs !== undefined && now() >= expiresAtMs) {
      this.close(closeCodes.credentialEnded, credentialEndedText);
      return;
    }
    if (this.#partialSinceMs !== undefined && nowMs - this.#partialSinceMs > this.deps.limits.messageMs) {
      this.#fail(closeCodes.policy, 'A message did not arrive in time.');
      return;
    }
    if (isPaused && this.#out.isEmpty && nowMs - this.#pongMs >= pausedPongEveryMs) {
      this.#pongMs = nowMs;
      this.#out.control(opcodes.pong, noData);
      this.#out.flush();
    }
    if (nowMs - this.#pingMs < pingEveryMs) return;
    this.#pingMs = nowMs;
    this.#isPingDue = true;
    this.deps.flushSoon(this);
  }

  /** Sends a notification a little later: one block may concern ten thousand connections. */
  notify(content: ByteContent): void {
    if (this.#state !== 'open') return;
    this.#notifications.push(content);
    this.#notificationBytes += content.length;
    // A caller that reads is not slow because many notifications arrive in one turn.
    if (this.#out.waiting + this.#notificationBytes > maxWaitingBytes) this.#sentOrTooSlow(this.#writeNotifications());
    else this.deps.flushSoon(this);
  }

  /** Sends the waiting bytes. */
  flush(): void {
    if (this.#state === 'open') {
      if (this.#isPingDue) {
        this.#isPingDue = false;
        this.#out.control(opcodes.ping, noData);
      }
      this.#sentOrTooSlow(this.#writeNotifications());
    }
    this.#out.flush();
    if (this.#state === 'over' && this.#out.isEmpty) this.socket.shutdown();
    this.#continue();
    this.#leaveIfDone();
  }

  readonly #flushLater = (): void => {
    setImmediate(() => {
      this.#out.continue();
      this.flush();
    });
  };

  /** Sends earlier messages and a close frame, whose reason has at most 123 bytes. Drops large answers in progress. */
  close(code: number, reason: string): void {
    if (this.#state !== 'open') return;
    this.#writeNotifications();
    this.#sendClose(code, reason);
  }

  /** Closes when nothing is in progress and large answers were sent. Does not answer messages that arrive meanwhile. */
  leave(code: number, reason: string): void {
    if (this.#state !== 'open') return;
    this.#leaves = { code, reason };
    this.#messages = [];
    this.#messageBytes = 0;
    this.#leaveIfDone();
  }

  get #isFull(): boolean {
    if (this.#state !== 'open') return false;
    return this.#messages.length > 0 || this.#out.waiting > fullBytes;
  }

  #arrived(message: SocketMessage): void {
    if (this.#state !== 'open' || this.#leaves !== undefined) return;
    this.#messages.push(message);
    this.#messageBytes += message.bytes.length;
    this.#serve();
  }

  /** Begins to answer messages, up to the maximum of calls in flight. */
  #serve(): void {
    if (this.#isServing || this.#isWaiting) return;
    this.#isServing = true;
    while (this.#state === 'open' && this.#messages.length > 0 && this.#mayServe()) {
      const message = this.#messages.shift();
      if (message !== undefined) this.#begin(message);
      // The next message of the same piece waits, too, although it has not been read yet.
      if (this.deps.turns.spend(workUnits.request)) continue;
      this.#isWaiting = true;
      this.deps.turns.waitToContinue(this);
      break;
    }
    this.#isServing = false;
    if (!this.#in.isReading) this.#out.flush();
  }

  #mayServe(): boolean {
    return (this.#server?.callsInFlight() ?? 0) < maxCallsInFlight && this.#out.waiting <= fullBytes;
  }

  continueReading(): void {
    this.#isWaiting = false;
    this.#continue();
  }

  #begin(message: SocketMessage): void {
    const { length } = message.bytes;
    this.#server?.serve(message, (answer) => {
      this.#messageBytes = Math.max(0, this.#messageBytes - length);
      if (answer !== undefined) this.#answer(answer);
      if (this.#isServing) return;
      this.#out.flush();
      this.#count();
      this.#continue();
      this.#leaveIfDone();
    });
  }

  #answer(answer: SocketAnswer): void {
    if (this.#state !== 'open') {
      if (answer.kind === 'large') answer.source.release();
      return;
    }
    // In order: a notification never overtakes the answer that ended its subscription, nor the reverse.
    const hasRoom = this.#writeNotifications();
    if (answer.kind === 'large') this.#out.large(answer.source);
    else if (this.#out.waiting <= fullBytes || answer.content.length <= smallBytes)
      this.#sentOrTooSlow(this.#out.text(answer.content) && hasRoom);
    else this.#holdBack(answer.content);
  }

  /** Answers to calls in flight when the socket stopped accepting wait as large answers do: they may be a hundred. */
  #holdBack(content: ByteContent): void {
    const source = this.deps.chargedPieces(this.deps.userId, content);
    if (source === undefined) this.#tooSlow();
    else this.#out.large(source);
  }

  #sentOrTooSlow(hasRoom: boolean): void {
    if (hasRoom && this.#out.waiting <= fullBytes) return;
    this.#out.flush();
    if (!this.#out.hasRoom || this.#out.waiting > maxWaitingBytes) this.#tooSlow();
  }

  /** Continues with waiting messages, and then with reading. */
  #continue(): void {
    if (this.#state === 'over' || this.#isServing) return;
    if (this.#messages.length > 0) this.#serve();
    if (this.#messages.length === 0) this.#in.read();
  }

  /** Returns false when there is no room for waiting bytes. */
  #writeNotifications(): boolean {
    if (this.#notifications.length === 0) return true;
    let hasRoom = true;
    for (const content of this.#notifications) hasRoom = this.#out.text(content) && hasRoom;
    this.#notifications = [];
    this.#notificationBytes = 0;
    return hasRoom;
  }

  #pong(data: Uint8Array): void {
    this.#countControl();
    if (this.#state === 'open') this.#sentOrTooSlow(this.#out.control(opcodes.pong, data));
  }

  #countControl(): void {
    if (!this.#controlFrames.count(this.nowMs()) && this.#state !== 'over')
      this.#fail(closeCodes.policy, 'Too many pings or pongs.');
  }

  #haveRead(): void {
    this.#out.flush();
    this.#count();
    const { partial, unread } = this.#in;
    // A message whose bytes are not read yet is not late.
    if (partial === 0 || unread > 0) this.#partialSinceMs = undefined;
    else this.#partialSinceMs ??= this.nowMs();
  }

  #tooSlow(): void {
    if (this.#state !== 'open') return;
    this.#notifications = [];
    this.#sendClose(closeCodes.tooSlow, 'Too many messages wait to be read: read faster.');
  }

  /** The other side has violated the protocol or a bound: nothing more of it is read. */
  #fail(code: number, reason: string): void {
    this.#in.stop();
    if (this.#state === 'open') this.#sendClose(code, reason);
    this.#over();
  }

  #concluded(code: number): void {
    this.#partialSinceMs = undefined;
    // The same code is sent back (RFC 6455 5.5.1).
    if (this.#state === 'open') this.#sendClose(code === noCode ? undefined : code, '');
    this.#over();
  }

  #sendClose(code: number | undefined, reason: string): void {
    this.#state = 'closing';
    this.#closeByMs = this.nowMs() + closingMs;
    this.#messages = [];
    this.#out.close(code === undefined ? noData : closeData(code, reason));
    this.#out.flush();
    this.#in.read();
  }

  /** The server closes the connection (RFC 6455 7.1.1) as soon as everything was sent. */
  #over(): void {
    this.#state = 'over';
    this.#closeByMs = Math.min(this.#closeByMs, this.nowMs() + closingMs);
    if (this.#out.isEmpty) this.socket.shutdown();
  }

  #leaveIfDone(): void {
    const leaves = this.#leaves;
    if (leaves !== undefined && !this.isAnswering && !this.#out.hasLarge) this.close(leaves.code, leaves.reason);
  }

  /** Charges the user for buffered bytes of messages (contract/bounds#bytes). */
  #count(): void {
    if (this.#charged.set(this.#in.partial + this.#in.unread + this.#messageBytes)) return;
    this.#fail(closeCodes.tryLater, 'Unanswered messages use up the available memory: try again later.');
  }
}
