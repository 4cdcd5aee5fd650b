/** The context of a JSON-RPC request: its target and messages as its steps find them, the caller of its node calls, and its answer. */

import type { ContentCoding } from '@flowgate/http1/compression/accepted-coding';
import { headerLines } from '@flowgate/http1/server/header-lines';
import type { IncomingRequest, OutgoingReply, ReplyBody } from '@flowgate/http1/server/incoming-request';
import { WrittenReply } from '@flowgate/http1/server/written-reply';
import type { UsageOutcome } from '../../api/used.ts';
import type { RpcRoute } from '../../rpc/rpc-routes.ts';
import type { Messages } from '../../rpc/serve-body.ts';
import type { RpcTarget } from '../../rpc/target.ts';
import { type ContextDeps, exposedHeaders, RequestContext } from './request-context.ts';

const json = 'application/json';
const jsonLine = `Content-Type: ${json}\r\n`;
const varyLine = 'Vary: Accept-Encoding\r\n';
/** By content coding. */
const codingLines: Readonly<Record<ContentCoding | 'identity', string>> = {
  identity: varyLine,
  gzip: `${varyLine}Content-Encoding: gzip\r\n`,
  zstd: `${varyLine}Content-Encoding: zstd\r\n`,
};
const corsLines = `Access-Control-Allow-Origin: *\r\nAccess-Control-Expose-Headers: ${exposedHeaders}\r\n`;

export class RpcContext extends RequestContext {
  private found: RpcTarget | undefined;
  protected decoded: Messages | undefined;
  /** Set when no node was asked for the answer. */
  isFromMemory = false;
  /** The outcome of each element of a batch, when nodes were asked. */
  outcomes: readonly UsageOutcome[] | undefined;

  constructor(
    request: IncomingRequest,
    path: string,
    requestId: string,
    deps: ContextDeps,
    outer: RequestContext | undefined,
    readonly route: RpcRoute,
    readonly params: Readonly<Record<string, string>>,
  ) {
    super(request, path, requestId, deps, outer);
    this.envelope = 'rpc';
    this.hasKeyInPath = route.keyInPath;
  }

  /** Undefined before the target is looked up, and when it does not exist. */
  get knownTarget(): RpcTarget | undefined {
    return this.found;
  }

  /** Undefined before the body is decoded, and when decoding fails. */
  get knownMessages(): Messages | undefined {
    return this.decoded;
  }

  /** @throws before the target is looked up. */
  get target(): RpcTarget {
    if (this.found === undefined) throw new Error(`the target is not looked up yet: ${this.requestId}`);
    return this.found;
  }

  set target(target: RpcTarget) {
    this.found = target;
  }

  /** @throws before the body is decoded. */
  get messages(): Messages {
    if (this.decoded === undefined) throw new Error(`the body is not decoded yet: ${this.requestId}`);
    return this.decoded;
  }

  set messages(messages: Messages) {
    this.decoded = messages;
  }

  /** The context is the `NodeCaller` of its calls: large answers are charged to this user. @throws before the caller is authenticated. */
  get userId(): string {
    return this.caller.userId;
  }

  protected override write(
    status: number,
    body: ReplyBody,
    contentType: string | undefined,
    more: Readonly<Record<string, string>> | undefined,
    coding?: ContentCoding | 'identity',
  ): OutgoingReply {
    const type = contentType === undefined ? '' : contentType === json ? jsonLine : `Content-Type: ${contentType}\r\n`;
    const cors = this.header('origin') === null ? '' : corsLines;
    const rest = more === undefined ? '' : headerLines(more);
    const plain = cors === '' && rest === '' ? type : type + cors + rest;
    const lines = coding === undefined ? plain : plain + codingLines[coding];
    return new WrittenReply(status, this.requestId, this.admission, lines, body, more?.['Connection'] === 'close');
  }
}
