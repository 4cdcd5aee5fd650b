/** A JSON-RPC request being answered: its target and its messages, once its steps have found them; whose nodes' calls are; and its answer, written at once. */

import type { Admission } from '../api/rate-limiter.ts';
import type { RpcRoute } from '../rpc/routes.ts';
import type { Messages } from '../rpc/serve-body.ts';
import type { RpcTarget } from '../rpc/target.ts';
import type { IncomingRequest, OutgoingReply, ReplyBody } from './incoming-request.ts';
import { type ContextParts, exposedHeaders, RequestContext } from './request-context.ts';
import { headerLines, WrittenReply } from './written-reply.ts';

const corsLines = `Access-Control-Allow-Origin: *\r\nAccess-Control-Expose-Headers: ${exposedHeaders}\r\n`;

export class RpcContext extends RequestContext {
  private found: RpcTarget | undefined;
  private decoded: Messages | undefined;

  constructor(
    request: IncomingRequest,
    path: string,
    requestId: string,
    parts: ContextParts,
    outer: RequestContext | undefined,
    readonly route: RpcRoute,
    readonly params: Readonly<Record<string, string>>,
  ) {
    super(request, path, requestId, parts, outer);
    this.envelope = 'rpc';
    this.hasKeyInPath = route.keyInPath;
  }

  /** Throws before it was looked for. */
  get target(): RpcTarget {
    if (this.found === undefined) throw new Error(`no target was looked for yet: ${this.requestId}`);
    return this.found;
  }

  set target(target: RpcTarget) {
    this.found = target;
  }

  /** Throws before the body was decoded. */
  get messages(): Messages {
    if (this.decoded === undefined) throw new Error(`the body was not decoded yet: ${this.requestId}`);
    return this.decoded;
  }

  set messages(messages: Messages) {
    this.decoded = messages;
  }

  /** For the nodes, of which the context is the caller: whom large answers are counted for. Throws before anybody was identified. */
  get userId(): string {
    return this.caller.userId;
  }

  protected override write(
    status: number,
    body: ReplyBody,
    contentType: string | undefined,
    more: Readonly<Record<string, string>> | undefined,
  ): OutgoingReply {
    const { admission } = this;
    const type = contentType === undefined ? '' : `Content-Type: ${contentType}\r\n`;
    const limits = admission === undefined ? '' : limitLines(admission);
    const cors = this.header('origin') === null ? '' : corsLines;
    const rest = more === undefined ? '' : headerLines(more);
    const lines = `X-Request-Id: ${this.requestId}\r\n${type}${limits}${cors}${rest}`;
    return new WrittenReply(status, lines, body, more?.['Connection'] === 'close');
  }
}

function limitLines({ limit, remaining, resetAtMs }: Admission): string {
  const resetSeconds = Math.ceil(resetAtMs / 1000);
  return `X-RateLimit-Limit: ${limit}\r\nX-RateLimit-Remaining: ${remaining}\r\nX-RateLimit-Reset: ${resetSeconds}\r\n`;
}
