/** A route: its path, who may use it, what it answers, and its words in the reference. */

import type { Refused } from '@flowgate/base/result';
import type { BodySchema } from '@flowgate/body-schema/body-schema';
import type { z } from 'zod';
import type { Caller } from './caller.ts';
import type { RefusalReason } from './refusal.ts';

/** `public`: anybody. `caller`: token or API key. `token`: a signed-in person, API keys get 403. `admin`: a token with the role `admin`. */
export type AccessLevel = 'public' | 'caller' | 'token' | 'admin';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Whether requests with this method bring a body; what comes with another is not read. */
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
  /** A request header's value; a doubled one is joined with a comma and a blank, as the runtime has it. */
  readonly header: (name: string) => string | null;
  /** Tells that the request is about this Flow App, which exists: it is counted for it (contract/usage#what-is-counted). */
  readonly concerns?: (appId: string) => void;
};

export type CallerRequest = RouteRequest & { readonly caller: Caller };

export type Reply = {
  readonly status: number;
  /** Serialised as JSON; left out for 204. A string, or bytes, are sent as they are, with `contentType`. */
  readonly body?: unknown;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Instead of `body`: an answer that continues, of type `contentType`. */
  readonly stream?: StreamBody;
};

/** What a stream's writer gets. */
export type StreamSink = {
  /** Sends text. `false`: the reader is slow; write nothing more before `onRoom`, since it would be kept in memory. Does nothing after the end. */
  readonly write: (text: string) => boolean;
  readonly end: () => void;
};

/** Events of a stream, for its writer. Neither method throws. */
export type StreamWriter = {
  /** There is room again. */
  readonly onRoom: () => void;
  /** The stream is over: ended here, by its reader, or by the gateway because it stops or the credential is no longer valid. Called once. */
  readonly onEnd: () => void;
};

/** Called once, when the answer is certain to be sent; never for HEAD. */
export type StreamBody = (sink: StreamSink) => StreamWriter;

/** A refusal with members that the catalogue cannot know. */
export type RouteRefusal = Refused<RefusalReason> & {
  /** Overrides the catalogue's hint (ProblemDetails). */
  readonly retryable?: boolean;
  /** Further members of the body: x402's, on 402. */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
};

export type RouteAnswer = Reply | RouteRefusal;

/** One answer of a route, for the OpenAPI document. */
export type RouteResponseDoc = {
  readonly status: number;
  readonly description: string;
  readonly schema?: BodySchema;
  /** The same answer in other content types, for callers who prefer them. */
  readonly alternatives?: readonly BodySchema[];
  /** Headers of this answer only, by their names in the document's components. */
  readonly headers?: readonly string[];
  /** The same as Server-Sent Events, for callers who prefer them. */
  readonly streams?: boolean;
};

/** A request header that this route reads, besides those that the edge reads of every request. */
export type RouteHeaderDoc = {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly schema: () => z.ZodType;
  readonly example?: string;
};

/** A parameter of the query. */
export type RouteQueryDoc = {
  readonly name: string;
  readonly description: string;
  readonly schema: () => z.ZodType;
};

/** The value of a `{name}` in the path. */
export type PathParameterDoc = {
  readonly description: string;
  readonly schema: () => z.ZodType;
  /** In sample calls. */
  readonly example: string;
};

export type RouteDoc = {
  readonly summary: string;
  readonly description: string;
  readonly tag: string;
  /** Those of the path, by name. */
  readonly path?: Readonly<Record<string, PathParameterDoc>>;
  readonly query?: readonly RouteQueryDoc[];
  readonly headers?: readonly RouteHeaderDoc[];
  readonly body?: BodySchema;
  /** A request may leave the body out. */
  readonly bodyIsOptional?: boolean;
  readonly responses: readonly RouteResponseDoc[];
  readonly refusals: readonly RefusalReason[];
  /** Headers that refusals for these reasons may carry, by their names in the document's components. */
  readonly refusalHeaders?: { readonly reasons: readonly RefusalReason[]; readonly names: readonly string[] };
};

type RouteBase = {
  readonly method: HttpMethod;
  /** `/users/me/api-keys/{keyId}`: one parameter stands for one path segment. */
  readonly path: string;
  readonly doc: RouteDoc;
  /** Smaller than the configured limit, where a body here needs no more. */
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
