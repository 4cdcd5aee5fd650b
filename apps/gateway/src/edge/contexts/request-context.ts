/**
 * The context of one request: the findings of its steps, and what every answer needs (id, limit headers, CORS, masked path). It is the only maker of answers,
 * so that no answer lacks these.
 */

import type { Clock } from '@flowgate/base/clock';
import type { ChunkSource } from '@flowgate/bytes/buffered-body';
import { type ByteContent, TextContent } from '@flowgate/bytes/byte-content';
import { acceptedCoding, type ContentCoding } from '@flowgate/http1/compression/accepted-coding';
import { acceptedBodyCodings, bodyCodingOf } from '@flowgate/http1/compression/body-coding';
import { compressed, compressedOnce, worthCompressing } from '@flowgate/http1/compression/compress';
import type { AddressRanges } from '@flowgate/http1/safe-fetch/address-ranges';
import type { IncomingRequest, OutgoingReply, ReplyBody } from '@flowgate/http1/server/incoming-request';
import { limitHeaders } from '@flowgate/http1/server/written-reply';
import type { Caller } from '../../api/caller.ts';
import type { Admission } from '../../api/rate-limiter.ts';
import type { RefusalReason } from '../../api/refusal.ts';
import { clientAddress } from './client-address.ts';
import type { Envelope } from './envelope.ts';
import { type ExtractedCredential, missingCredential } from './extracted-credential.ts';
import { type ErrorDetails, type FailedRequest, failureBody } from './failure-body.ts';
import type { HeaderReader } from './header-reader.ts';
import { type LargeAnswers, smallAnswer } from './large-answers.ts';
import { maskedPath } from './masked-path.ts';
import type { BodyCarrier, ReceivedBody } from './request-body.ts';

/** Origins that may read answers: any on JSON-RPC, the configured ones elsewhere (contract/conventions#cors). */
export type CorsPolicy = { readonly allows: (origin: string) => boolean };

export const exposedHeaders =
  'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, X-Request-Id, Location, Idempotency-Replayed, X-Flowgate-Served-By, X-Flowgate-Attempts, X-Flowgate-Node-Owner, X-Payment-Response, Payment-Response, Payment-Required, Mcp-Session-Id, Mcp-Protocol-Version';

/** The `Retry-After` of a 503, in seconds: a gateway that is briefly unavailable returns after about this time. */
const unavailableRetrySeconds = '1';

export const noAnswerBudget =
  'Your large answers in flight use all memory reserved for you: read them first, then retry.';

type Extras = ErrorDetails & {
  readonly headers?: Readonly<Record<string, string>> | undefined;
};

/** Why a request is refused, with details that the catalog does not contain. */
export type Refusal = Extras & { readonly reason: RefusalReason };

/** What the contexts of all requests share. */
export type ContextDeps = {
  readonly cors: CorsPolicy;
  readonly clock: Clock;
  readonly largeAnswers: LargeAnswers;
  /** The proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: AddressRanges;
};

export class RequestContext implements BodyCarrier, FailedRequest, HeaderReader {
  readonly method: string;
  envelope: Envelope = 'rest';
  /** The extracted credential; only this identifies the caller. */
  credential: ExtractedCredential = missingCredential;
  /** When the request arrived, by the monotonic clock. */
  readonly openedMs: number;
  /** When the credential was verified, and the count of key changes at that time. */
  authenticatedMs: number;
  keyChanges = 0;
  /** When the credential expires, in milliseconds since the Unix epoch; undefined for a token and for a key without expiry. */
  credentialEndsAtMs: number | undefined;
  /** Set once the limiter has decided; every later answer carries its limits. */
  admission: Admission | undefined;
  /** Set when the outer request was charged; then this request is not charged. */
  chargedBefore: Admission | undefined;
  /** The number of requests that it counts as. */
  cost = 1;
  body: ReceivedBody | undefined;
  bodyIsRead = false;
  /** Returns the body's bytes to the byte budget; called when the request is answered. */
  freeBody: (() => void) | undefined;
  /** Whether the request can be repeated without further effect. Then an answer beyond the budget is refused. A GET is always repeatable. */
  isRepeatable = false;
  /** Whether the path's last segment is a credential, regardless of its form. */
  hasKeyInPath = false;
  /** The reason of the refusal; undefined when the request was not refused. */
  refusedFor: RefusalReason | undefined;
  private identified: Caller | undefined;

  constructor(
    readonly request: IncomingRequest,
    readonly path: string,
    readonly requestId: string,
    private readonly deps: ContextDeps,
    /** The outer request of a subrequest, which was already accepted. */
    private readonly outer?: RequestContext,
  ) {
    this.method = request.method;
    this.openedMs = deps.clock.monotonic();
    this.authenticatedMs = this.openedMs;
  }

  header(name: string): string | null {
    return this.request.header(name);
  }

  /** Whether this is a subrequest of an accepted request: a drain lets it finish, and its answer is not sent over a connection. */
  get isSubrequest(): boolean {
    return this.outer !== undefined;
  }

  get isAuthenticated(): boolean {
    return this.identified !== undefined;
  }

  /** @throws before the caller is authenticated: steps that need the caller run later. */
  get caller(): Caller {
    if (this.identified === undefined) throw new Error(`the caller is not authenticated yet: ${this.requestId}`);
    return this.identified;
  }

  /** Undefined: the credential is no longer valid. */
  setCaller(caller: Caller | undefined): void {
    this.identified = caller;
  }

  /** The Flow session whose limit applies in addition to the user's. */
  get sessionId(): string | undefined {
    return undefined;
  }

  /** The body's limit; undefined when only the configured one applies. */
  get maxBodyBytes(): number | undefined {
    return undefined;
  }

  /** The size of the body that was read; 0 before, and when the body was refused. */
  get bodyBytes(): number {
    return this.body?.ok === true ? this.body.value.length : 0;
  }

  /** The client address, which the request is attributed to while the caller is unknown. */
  clientAddress(): string {
    return clientAddress(this.peer(), this.header('x-forwarded-for'), this.deps.trustedProxies);
  }

  nowMs(): number {
    return this.deps.clock.now();
  }

  /** The address at the other end of the connection of this request, or of the outer one. */
  peer(): string {
    return this.outer === undefined ? this.request.peer : this.outer.peer();
  }

  letGo(): void {
    if (!this.isSubrequest) this.request.letGo();
  }

  /** The path for logs and errors: a key in it is replaced by its id, and other text in a key's place is removed (contract/conventions). */
  get maskedPath(): string {
    return maskedPath(this.path, this.hasKeyInPath);
  }

  reply(
    status: number,
    body: ReplyBody,
    contentType: string | undefined,
    more?: Readonly<Record<string, string>>,
  ): OutgoingReply {
    if (!hasLength(body) || body.length < worthCompressing) return this.write(status, body, contentType, more);
    const userId = this.identified?.userId;
    const isFixed = body instanceof Uint8Array;
    const isLarge = !isFixed && body.length > smallAnswer;
    if (isLarge && userId !== undefined && this.method !== 'HEAD')
      return this.replyInPieces(status, body, contentType, userId, more);
    const coding = this.codingFor(more);
    if (coding === undefined || coding === 'identity' || isLarge)
      return this.write(status, body, contentType, more, coding);
    const content = isFixed ? compressedOnce(body, coding) : compressed(body, coding);
    return content === undefined
      ? this.write(status, body, contentType, more, 'identity')
      : this.write(status, content, contentType, more, coding);
  }

  /** Whether the caller's budget for large answers has bytes left. Checked before work whose answer may be large and must be sent. */
  get hasAnswerBudget(): boolean {
    return this.identified === undefined || !this.deps.largeAnswers.isFull(this.identified.userId);
  }

  /**
   * Undefined for answers that are already compressed, and for those that are never compressed: the size of an answer that holds a secret would reveal it
   * (docs/decisions/0096).
   */
  private codingFor(more: Readonly<Record<string, string>> | undefined): ContentCoding | 'identity' | undefined {
    if (!this.mayCompress || more?.['Cache-Control']?.includes('no-store') === true) return undefined;
    if (more?.['Content-Encoding'] !== undefined) return undefined;
    return acceptedCoding(this.header('accept-encoding'));
  }

  /** False for answers that are passed on inside the gateway or may hold a secret without marking it. */
  protected get mayCompress(): boolean {
    return !this.isSubrequest;
  }

  /** Like `reply`, for a body that is sent unchanged. `coding`: its content coding; undefined when it exists in one form only. */
  protected write(
    status: number,
    body: ReplyBody,
    contentType: string | undefined,
    more: Readonly<Record<string, string>> | undefined,
    coding?: ContentCoding | 'identity',
  ): OutgoingReply {
    const headers: Record<string, string> = { 'X-Request-Id': this.requestId };
    if (contentType !== undefined) headers['Content-Type'] = contentType;
    Object.assign(headers, limitHeaders(this.admission));
    const origin = this.header('origin');
    if (origin !== null) this.allowOrigin(headers, origin);
    if (more !== undefined) Object.assign(headers, more);
    if (coding !== undefined)
      headers['Vary'] = headers['Vary'] === undefined ? 'Accept-Encoding' : `${headers['Vary']}, Accept-Encoding`;
    if (coding !== undefined && coding !== 'identity') headers['Content-Encoding'] = coding;
    return { status, headers, body };
  }

  /** Takes ownership of the body: pieces that the caller does not read are released. */
  replyLarge(
    status: number,
    body: ChunkSource,
    contentType: string | undefined,
    more?: Readonly<Record<string, string>>,
  ): OutgoingReply {
    const { largeAnswers } = this.deps;
    const coding = this.codingFor(more);
    const userId = this.identified?.userId;
    const pieces =
      coding === undefined || coding === 'identity' || userId === undefined
        ? undefined
        : largeAnswers.compressed(body, coding, userId);
    const stream = largeAnswers.stream(pieces ?? body);
    return this.write(status, stream, contentType, more, pieces === undefined ? coding && 'identity' : coding);
  }

  /** An answer that may report a change is sent even beyond the budget, because its caller cannot repeat the request. */
  private replyInPieces(
    status: number,
    body: string | ByteContent,
    contentType: string | undefined,
    userId: string,
    more: Readonly<Record<string, string>> | undefined,
  ): OutgoingReply {
    const { largeAnswers } = this.deps;
    const content = typeof body === 'string' ? new TextContent(body) : body;
    const charged = largeAnswers.charged(userId, content);
    if (charged !== undefined) return this.replyLarge(status, charged, contentType, more);
    const changesNothing = this.method === 'GET' || this.isRepeatable || this.refusedFor !== undefined;
    if (changesNothing) return this.refuse('unavailable', { detail: noAnswerBudget });
    return this.replyLarge(status, largeAnswers.overcharged(userId, content), contentType, more);
  }

  refuse(reason: RefusalReason, extras?: Extras): OutgoingReply {
    this.refusedFor = reason;
    const { status, contentType, body } = failureBody(this.envelope, reason, this, extras);
    return this.reply(status, body, contentType, this.refusalHeaders(status, extras?.headers));
  }

  private refusalHeaders(
    status: number,
    own: Readonly<Record<string, string>> | undefined,
  ): Readonly<Record<string, string>> | undefined {
    if (status === 401) return { ...own, 'WWW-Authenticate': 'Bearer' };
    if (status === 429) return { ...own, 'Retry-After': retryAfterOf(this.admission) };
    // RFC 7694: the header is sent only when the coding is the reason.
    if (status === 415 && bodyCodingOf(this.header('content-encoding')) === 'other')
      return { ...own, 'Accept-Encoding': acceptedBodyCodings };
    if (status === 503) return { 'Retry-After': unavailableRetrySeconds, ...own };
    // The connection closes, so the rest of the body is not read as a request.
    return status === 408 ? { ...own, Connection: 'close' } : own;
  }

  allowOrigin(headers: Record<string, string>, origin: string): void {
    if (this.envelope === 'rpc') headers['Access-Control-Allow-Origin'] = '*';
    else {
      headers['Vary'] = 'Origin';
      if (!this.deps.cors.allows(origin)) return;
      headers['Access-Control-Allow-Origin'] = origin;
    }
    headers['Access-Control-Expose-Headers'] = exposedHeaders;
  }
}

/** Undefined: a stream has no body bytes to count. */
function hasLength(body: ReplyBody): body is Exclude<ReplyBody, ReadableStream | null> {
  return typeof body === 'string' || (body !== null && 'length' in body);
}

/** In seconds, rounded up so that waiting that long is enough. */
function retryAfterOf(admission: Admission | undefined): string {
  return String(Math.ceil((admission?.retryAfterMs ?? 1000) / 1000));
}
