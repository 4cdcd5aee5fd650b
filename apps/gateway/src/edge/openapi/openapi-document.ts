/** The subset of OpenAPI 3.1 that Flowgate uses, as types for the builder and the renderer of the document. */

import type { Schema } from '../../api/json-schema.ts';

export type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
};

export type Example = { readonly summary: string; readonly value: unknown };

export type Content = Readonly<
  Record<string, { readonly schema: Schema; readonly examples?: Readonly<Record<string, Example>> }>
>;

export type Header = { readonly description: string; readonly required?: boolean; readonly schema: Schema };
export type HeaderRef = { readonly $ref: string };

export type Response = {
  readonly description: string;
  readonly headers: Readonly<Record<string, HeaderRef>>;
  readonly content?: Content;
};

export type SecurityScheme =
  | { readonly type: 'http'; readonly scheme: string; readonly bearerFormat?: string; readonly description: string }
  | { readonly type: 'apiKey'; readonly in: 'header'; readonly name: string; readonly description: string };

export type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly deprecated?: true;
  /** Any one of these credentials suffices; empty: no credential in a header. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  /** By status. */
  readonly responses: Readonly<Record<string, Response>>;
  readonly 'x-codeSamples': readonly { readonly lang: 'Shell'; readonly label: 'curl'; readonly source: string }[];
};

/** A request that the gateway sends to another server; it has no sample call. */
export type WebhookOperation = Omit<Operation, 'x-codeSamples'> & {
  /** The address, as a template. */
  readonly 'x-url': string;
};

export type OpenApiDocument = {
  readonly openapi: '3.1.0';
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    readonly contact: { readonly name: string; readonly url: string };
    readonly license: { readonly name: string; readonly identifier: string };
  };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  /** By path, then by method in lower case. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  /** By name, then by method in lower case. */
  readonly webhooks: Readonly<Record<string, Readonly<Record<string, WebhookOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly headers: Readonly<Record<string, Header>>;
    readonly securitySchemes: Readonly<Record<string, SecurityScheme>>;
  };
};

/** The ways to send a credential, in the order of the reference page. */
export const securitySchemes = {
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'An access token of the identity provider: `Authorization: Bearer <token>`, exactly one space, no quotes.',
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'An API key, `fk_<keyId>.<secret>`. This header takes precedence over Authorization.',
  },
  apiKeyAsBearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'API key',
    description: 'An API key as `Authorization: Bearer <API key>`.',
  },
} as const satisfies Readonly<Record<string, SecurityScheme>>;
