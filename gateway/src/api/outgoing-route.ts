/** What the gateway asks of somebody else, described for whoever answers (OpenAPI's webhooks). */

import type { BodySchema } from './body-schema.ts';
import type { RouteHeaderDoc } from './route.ts';

export type OutgoingRoute = {
  /** Its name and its `operationId` in the document. */
  readonly name: string;
  readonly method: 'GET' | 'POST';
  /** Where it is sent, as a template. */
  readonly url: string;
  readonly summary: string;
  readonly description: string;
  readonly tag: string;
  /** What the header `webhook-id` names: every request is signed as Standard Webhooks have it. */
  readonly idMeans: string;
  /** Beside those of the signature. */
  readonly headers: readonly RouteHeaderDoc[];
  readonly body?: BodySchema;
  readonly responses: readonly {
    readonly status: number;
    readonly description: string;
    readonly schema?: BodySchema;
  }[];
};
