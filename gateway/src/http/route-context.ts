/** A REST or Flow request being answered: its route, and its body once that was decoded. */

import type { Route } from '../api/route.ts';
import { envelopeOf } from './envelopes.ts';
import { type ContextParts, RequestContext } from './request-context.ts';

export class RouteContext extends RequestContext {
  /** The parsed body; undefined when there is none. */
  json: unknown;

  constructor(
    request: Request,
    path: string,
    requestId: string,
    parts: ContextParts,
    outer: RequestContext | undefined,
    readonly route: Route,
    readonly params: Readonly<Record<string, string>>,
  ) {
    super(request, path, requestId, parts, outer);
    this.envelope = envelopeOf(path);
  }

  override get sessionId(): string | undefined {
    return this.params['sessionId'];
  }

  override get mostBodyBytes(): number | undefined {
    return this.route.maxBodyBytes;
  }

  /** By hand: the runtime builds the URL with whatever stands in Host, which need not be one that a URL can hold. */
  get query(): URLSearchParams {
    const { url } = this.request;
    const start = url.indexOf('?');
    const end = url.indexOf('#', start);
    return new URLSearchParams(start < 0 ? '' : url.slice(start + 1, end < 0 ? undefined : end));
  }
}
