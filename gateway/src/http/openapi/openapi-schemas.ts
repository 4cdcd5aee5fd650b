/** JSON Schemas of everything that crosses the wire, by the names that the routes' descriptions use; each example satisfies client/src/wire.ts or flow-wire.ts. */

import type { Schema } from '../../api/json-schema.ts';
import { flowSchemas } from './openapi-flow-schemas.ts';

/** The limits that a caller can run into, as configured. */
export type DocumentedLimits = {
  readonly userPerMinute: number;
  readonly sessionPerMinute: number;
  readonly invalidPerMinute: number;
  readonly maxBatch: number;
  readonly maxBodyBytes: number;
};

export function wireSchemas(): Readonly<Record<string, Schema>> {
  return flowSchemas;
}
