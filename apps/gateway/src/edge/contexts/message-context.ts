/** The context of one message of a WebSocket: a JSON-RPC request whose refusals are JSON-RPC errors, all of them, and whose answer is content without a head. */

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

/** What the messages of one connection have in common. */
export type MessageOrigin = {
  readonly route: RpcRoute;
  readonly params: Readonly<Record<string, string>>;
  readonly path: string;
  readonly shownPath: string;
  readonly peer: string;
  /** The address that failed credentials count for. */
  readonly clientAddress: string;
  /** Verified again for each message, from memory mostly. */
  readonly credential: Credential;
  /** Aborted when the connection is over. */
  readonly signal: AbortSignal;
  /** Those of all messages that are being answered. */
  readonly inFlight: { calls: number };
  /** The target with the subscriptions of this connection. */
  readonly subscribing: (target: RpcTarget) => RpcTarget;
  /** The credential holds no longer. */
  readonly credentialEnded: () => void;
};

/** `{"jsonrpc":"2.0","id":1,"method":"m"}`. */
const shortestCallBytes = 38;

/** An answer that is not sent by HTTP. */
export class SocketReply implements OutgoingReply {
  readonly headers = {};

  constructor(
    /** What it would be over HTTP. */
    readonly status: number,
    readonly body: ReplyBody,
    /** Of a large answer. */
    readonly source: ChunkSource | undefined = undefined,
  ) {}
}

type Row = { readonly code: number; readonly message: string };

/** Of reasons without a JSON-RPC form that concern a message. */
const rows: Readonly<Partial<Record<RefusalReason, Row>>> = {
  'rate-limited': { code: -32005, message: 'Too many requests.' },
  denied: { code: -32003, message: 'Forbidden.' },
  'not-found': { code: -32004, message: 'Not found.' },
  'too-large': { code: -32600, message: 'Invalid request.' },
  'bad-gateway': { code: -32603, message: 'Bad gateway.' },
  unavailable: { code: -32002, message: 'Service unavailable.' },
};

/** Refusals as JSON-RPC errors, those too that are StandardErrors over HTTP (contract/websocket#errors). `data`: a JSON text. What has no row of its own is an internal error with the reason's sentence. */
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
  /** The calls in it; until it is decoded, as many as there may be in a message of this length. */
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

  override get shownPath(): string {
    return this.origin.shownPath;
  }

  override replyLarge(status: number, source: ChunkSource): OutgoingReply {
    return new SocketReply(status, null, source);
  }

  /** A notification is not answered, whatever became of it (JSON-RPC 2.0, 4.1). */
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

/** A message in the form of a request, without any header. */
class MessageRequest implements IncomingRequest {
  /** As the request log shows it. */
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
