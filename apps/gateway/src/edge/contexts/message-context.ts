/** The context of one WebSocket message: a JSON-RPC request. Each refusal is a JSON-RPC error, and the answer is content without a head. */

import { ok } from '@flowgate/base/result';
import type { ChunkSource } from '@flowgate/bytes/buffered-body';
import { type ByteContent, TextContent } from '@flowgate/bytes/byte-content';
import type { ByteRange } from '@flowgate/bytes/byte-range';
import type { IncomingRequest, OutgoingReply, ReplyBody, RequestBody } from '@flowgate/http1/server/incoming-request';
import { maxCallsInFlight, type SocketMessage } from '@flowgate/websocket/server/message-server';
import type { Credential } from '../../api/credential.ts';
import { type RefusalReason, refusals } from '../../api/refusal.ts';
import type { Call, InvalidMessage } from '../../rpc/message.ts';
import type { RpcRoute } from '../../rpc/rpc-routes.ts';
import type { RpcTarget } from '../../rpc/target.ts';
import type { ContextDeps, Refusal } from './request-context.ts';
import { RpcContext } from './rpc-context.ts';
import { noId, rpcError } from './rpc-error.ts';

/** What the messages of one connection share. */
export type MessageOrigin = {
  readonly route: RpcRoute;
  readonly params: Readonly<Record<string, string>>;
  readonly path: string;
  readonly maskedPath: string;
  readonly peer: string;
  /** The address that failed credentials are attributed to. */
  readonly clientAddress: string;
  /** Verified again for each message, mostly from memory. */
  readonly credential: Credential;
  /** Aborted when the connection closes. */
  readonly signal: AbortSignal;
  /** The calls of all messages of the connection that are not yet answered. */
  readonly inFlight: { calls: number };
  /** The target with the subscriptions of this connection. */
  readonly subscribing: (target: RpcTarget) => RpcTarget;
  /** Called when the credential is no longer valid. */
  readonly credentialEnded: () => void;
};

/** `{"jsonrpc":"2.0","id":1,"method":"m"}`. */
const shortestCallBytes = 38;

/** A reply that is not sent over HTTP. */
export class SocketReply implements OutgoingReply {
  readonly headers = {};

  constructor(
    /** The status that an HTTP reply would have. */
    readonly status: number,
    readonly body: ReplyBody,
    /** The pieces of a large answer. */
    readonly source: ChunkSource | undefined = undefined,
  ) {}
}

type Row = { readonly code: number; readonly message: string };

/** Sentences for reasons that have no JSON-RPC form and concern a message. */
const rows: Readonly<Partial<Record<RefusalReason, Row>>> = {
  'rate-limited': { code: -32005, message: 'Too many requests.' },
  denied: { code: -32003, message: 'Forbidden.' },
  'not-found': { code: -32004, message: 'Not found.' },
  'too-large': { code: -32600, message: 'Invalid request.' },
  'bad-gateway': { code: -32603, message: 'Bad gateway.' },
  unavailable: { code: -32002, message: 'Service unavailable.' },
};

/**
 * Refusals as JSON-RPC errors, including those that are StandardErrors over HTTP (contract/websocket#errors). `data` is JSON text. A reason without a row of
 * its own is an internal error with the reason's sentence.
 */
function socketError(reason: RefusalReason, id: ByteRange, data: string | undefined): ByteContent {
  if (refusals[reason].rpc !== undefined) return rpcError(reason, id, data);
  const { code, message } = rows[reason] ?? { code: -32603, message: `${refusals[reason].label}.` };
  const reported = data === undefined ? '' : `,"data":${data}`;
  return new TextContent(
    `{"jsonrpc":"2.0","id":${id.text()},"error":{"code":${code},"message":${JSON.stringify(message)}${reported}}}`,
  );
}

export class MessageContext extends RpcContext {
  readonly isBinary: boolean;
  /** The number of calls in the message; before it is decoded, the maximum for a message of this length. */
  calls: number;

  constructor(
    readonly origin: MessageOrigin,
    message: SocketMessage,
    requestId: string,
    deps: ContextDeps,
  ) {
    super(
      new MessageRequest(origin, message.bytes.length),
      origin.path,
      requestId,
      deps,
      undefined,
      origin.route,
      origin.params,
    );
    this.credential = origin.credential;
    this.isBinary = message.isBinary;
    this.calls = Math.min(maxCallsInFlight, Math.ceil(message.bytes.length / shortestCallBytes) || 1);
    this.body = ok(message.bytes);
    this.bodyIsRead = true;
  }

  override clientAddress(): string {
    return this.origin.clientAddress;
  }

  override get maskedPath(): string {
    return this.origin.maskedPath;
  }

  override replyLarge(status: number, source: ChunkSource): OutgoingReply {
    return new SocketReply(status, null, source);
  }

  /** A notification is never answered, even when it fails (JSON-RPC 2.0, 4.1). */
  override refuse(reason: RefusalReason, extras?: Omit<Refusal, 'reason'>): OutgoingReply {
    this.refusedFor = reason;
    const only = this.#onlyMessage;
    const status = refusals[reason].rpc?.status ?? refusals[reason].status;
    if (only !== undefined && only.id === undefined) return new SocketReply(status, null);
    const id: ByteRange = extras?.rpcId ?? only?.id ?? noId;
    const content = socketError(reason, id, extras?.rpcData ?? this.#dataOf(reason, extras));
    const form = extras?.rpcForm ?? only?.form.refusal;
    return new SocketReply(status, form === undefined ? content : form(content, id));
  }

  protected override write(status: number, body: ReplyBody): OutgoingReply {
    return new SocketReply(status, body);
  }

  get #onlyMessage(): Call | InvalidMessage | undefined {
    return this.decoded?.kind === 'single' ? this.decoded.message : undefined;
  }

  #dataOf(reason: RefusalReason, extras: Omit<Refusal, 'reason'> | undefined): string | undefined {
    if (reason === 'rate-limited')
      return `{"retryAfterSeconds":${Math.ceil((this.admission?.retryAfterMs ?? 1_000) / 1_000)}}`;
    if (reason === 'internal') return `{"requestId":${JSON.stringify(this.requestId)}}`;
    const detail = extras?.detail;
    const retryAfter = Number(extras?.headers?.['Retry-After']);
    const retryAfterSeconds = Number.isInteger(retryAfter) ? retryAfter : undefined;
    if (detail === undefined && retryAfterSeconds === undefined) return undefined;
    return JSON.stringify({ detail, retryAfterSeconds });
  }
}

/** A message as an incoming request without headers. */
class MessageRequest implements IncomingRequest {
  /** The method that the request log shows. */
  readonly method = 'WS';
  readonly body: RequestBody;

  constructor(
    private readonly origin: MessageOrigin,
    length: number,
  ) {
    this.body = { announced: length, takeWhole: none, next: nothing, discard: none };
  }

  get target(): string {
    return this.origin.path;
  }

  get peer(): string {
    return this.origin.peer;
  }

  get signal(): AbortSignal {
    return this.origin.signal;
  }

  readonly header = noHeader;
  readonly eachHeader = none;
  readonly letGo = none;
}

function noHeader(): null {
  return null;
}

function none(): undefined {
  return undefined;
}

async function nothing(): Promise<undefined> {
  return undefined;
}
