/** The context of a REST or Flow request: its route, and its body once decoded. */

import type { IncomingRequest } from '@flowgate/http1/server/incoming-request';
import type { Route } from '../../api/route.ts';
import { envelopeOf } from './failure-body.ts';
import { type ContextDeps, RequestContext } from './request-context.ts';

export class RouteContext extends RequestContext {
  /** The parsed body; undefined when there is none. */
  json: unknown;
  /** The Flow App of the request, if the route has reported it. */
  app: string | undefined;

  constructor(
    request: IncomingRequest,
    path: string,
    requestId: string,
    deps: ContextDeps,
    outer: RequestContext | undefined,
    readonly route: Route,
    readonly params: Readonly<Record<string, string>>,
  ) {
    super(request, path, requestId, deps, outer);
    this.envelope = envelopeOf(path);
  }

  override get sessionId(): string | undefined {
    return this.params['sessionId'];
  }

  override get maxBodyBytes(): number | undefined {
    return this.route.maxBodyBytes;
  }

  get query(): URLSearchParams {
    const { target } = this.request;
    const start = target.indexOf('?');
    return new URLSearchParams(start < 0 ? '' : target.slice(start + 1));
  }
}
