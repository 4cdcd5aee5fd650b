/** A JSON-RPC request being answered: its target and its messages, once its steps have found them. */

import type { RpcRoute } from '../rpc/routes.ts';
import type { Messages } from '../rpc/serve-body.ts';
import type { RpcTarget } from '../rpc/target.ts';
import type { IncomingRequest } from './incoming-request.ts';
import { type ContextParts, RequestContext } from './request-context.ts';

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
}
