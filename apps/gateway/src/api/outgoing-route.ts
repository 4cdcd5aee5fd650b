/** A request that the gateway sends to another server, as described in the OpenAPI document (`webhooks`). */

import type { BodySchema } from '@flowgate/body-schema/body-schema';
import type { RouteHeaderDoc } from './route.ts';

export type OutgoingRoute = {
  /** Its name in the document, and its `operationId`. */
  readonly name: string;
  readonly method: 'GET' | 'POST';
  /** Its address, as a template. */
  readonly url: string;
  readonly summary: string;
  readonly description: string;
  readonly tag: string;
  /** What the header `webhook-id` identifies. Every such request is signed according to Standard Webhooks. */
  readonly idMeans: string;
  /** Headers other than those of the signature. */
  readonly headers: readonly RouteHeaderDoc[];
  readonly body?: BodySchema;
  readonly responses: readonly {
    readonly status: number;
    readonly description: string;
    readonly schema?: BodySchema;
  }[];
};
