/** A route: its path, access level, handler and documentation. */

import type { Refused } from '@flowgate/base/result';
import type { BodySchema } from '@flowgate/body-schema/body-schema';
import type { z } from 'zod';
import type { Caller } from './caller.ts';
import type { RefusalReason } from './refusal.ts';

/** `public`: any client. `caller`: a token or an API key. `token`: a token only; API keys get 403. `admin`: a token with the role `admin`. */
export type AccessLevel = 'public' | 'caller' | 'token' | 'admin';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Whether requests with this method have a body. The body of other requests is not read. */
export function takesBody(method: string): boolean {
  return method === 'POST' || method === 'PATCH' || method === 'PUT';
}

export type RouteRequest = {
  /** Percent-decoded path parameters by name. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The parsed JSON body; `undefined` on methods without one. */
  readonly body: unknown;
  readonly requestId: string;
  /** The value of a request header. Repeated headers are joined with a comma and a space. */
  readonly header: (name: string) => string | null;
  /** Counts the request for this existing Flow App (contract/usage#what-is-counted). */
  readonly concerns?: (appId: string) => void;
};

export type CallerRequest = RouteRequest & { readonly caller: Caller };

export type Reply = {
  readonly status: number;
  /** Serialized as JSON; absent for 204. A string or bytes are sent unchanged, with `contentType`. */
  readonly body?: unknown;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A streamed body of type `contentType`, instead of `body`. */
  readonly stream?: StreamBody;
};

/** The output of a stream. */
export type StreamSink = {
  /** Sends text. Returns `false` when the reader is slow: write again after `onRoom`, because further text is buffered in memory. Does nothing after the end. */
  readonly write: (text: string) => boolean;
  readonly end: () => void;
};

/** Called by the edge on events of the stream. Neither method throws. */
export type StreamWriter = {
  /** The reader has caught up: writing may continue. */
  readonly onRoom: () => void;
  /** The stream ended: by the writer, by the reader, or by the gateway because it stops or the credential became invalid. Called once. */
  readonly onEnd: () => void;
};

/** Called once, when it is certain that the response will be sent; never for HEAD. */
export type StreamBody = (sink: StreamSink) => StreamWriter;

/** A refusal with members that are not in the catalog of errors. */
export type RouteRefusal = Refused<RefusalReason> & {
  /** Overrides the catalog's `retryable` (ProblemDetails). */
  readonly retryable?: boolean;
  /** Further members of the body, such as those of x402 on 402. */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
};

export type RouteAnswer = Reply | RouteRefusal;

/** One response of a route, for the OpenAPI document. */
export type RouteResponseDoc = {
  readonly status: number;
  readonly description: string;
  readonly schema?: BodySchema;
  /** The same response in other content types, chosen by `Accept`. */
  readonly alternatives?: readonly BodySchema[];
  /** Headers of this response only, by their names in the document's components. */
  readonly headers?: readonly string[];
  /** Whether the response is also available as Server-Sent Events, chosen by `Accept`. */
  readonly streams?: boolean;
};

/** A request header that this route reads, in addition to those that the edge reads on every request. */
export type RouteHeaderDoc = {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly schema: () => z.ZodType;
  readonly example?: string;
};

/** A query parameter. */
export type RouteQueryDoc = {
  readonly name: string;
  readonly description: string;
  readonly schema: () => z.ZodType;
};

/** The value of a `{name}` in the path. */
export type PathParameterDoc = {
  readonly description: string;
  readonly schema: () => z.ZodType;
  /** Used in sample calls. */
  readonly example: string;
};

export type RouteDoc = {
  readonly summary: string;
  readonly description: string;
  readonly tag: string;
  /** The path parameters, by name. */
  readonly path?: Readonly<Record<string, PathParameterDoc>>;
  readonly query?: readonly RouteQueryDoc[];
  readonly headers?: readonly RouteHeaderDoc[];
  readonly body?: BodySchema;
  /** Whether the request may have no body. */
  readonly bodyIsOptional?: boolean;
  readonly responses: readonly RouteResponseDoc[];
  readonly refusals: readonly RefusalReason[];
  /** The description begins with what replaces the route. */
  readonly deprecated?: true;
  /** Headers that refusals for these reasons may carry, by their names in the document's components. */
  readonly refusalHeaders?: { readonly reasons: readonly RefusalReason[]; readonly names: readonly string[] };
};

type RouteBase = {
  readonly method: HttpMethod;
  /** For example `/users/me/api-keys/{keyId}`. A parameter is one path segment. */
  readonly path: string;
  readonly doc: RouteDoc;
  /** A lower limit than the configured one, for a route that needs only small bodies. */
  readonly maxBodyBytes?: number;
};

export type PublicRoute = RouteBase & {
  readonly accessLevel: 'public';
  readonly handle: (request: RouteRequest) => RouteAnswer | Promise<RouteAnswer>;
};

export type CallerRoute = RouteBase & {
  readonly accessLevel: 'caller' | 'token' | 'admin';
  readonly handle: (request: CallerRequest) => RouteAnswer | Promise<RouteAnswer>;
};

export type Route = PublicRoute | CallerRoute;
