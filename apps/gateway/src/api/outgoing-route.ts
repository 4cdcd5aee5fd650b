/** A request that the gateway sends to somebody else, described for whoever answers it (OpenAPI's webhooks). */

import type { BodySchema } from '@flowgate/body-schema/body-schema';
import type { RouteHeaderDoc } from './route.ts';

export type OutgoingRoute = {
  /** Its name and its `operationId` in the document. */
  readonly name: string;
  readonly method: 'GET' | 'POST';
  /** Its address, as a template. */
  readonly url: string;
  readonly summary: string;
  readonly description: string;
  readonly tag: string;
  /** What the header `webhook-id` identifies: every request is signed as Standard Webhooks have it. */
  readonly idMeans: string;
  /** Besides those of the signature. */
  readonly headers: readonly RouteHeaderDoc[];
  readonly body?: BodySchema;
  readonly responses: readonly {
    readonly status: number;
    readonly description: string;
    readonly schema?: BodySchema;
  }[];
};
