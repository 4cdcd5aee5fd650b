/** Shorthand that the wire schemas are written in. */

import type { Page } from '@flowgate/client/wire';
import type { Schema } from '../../api/json-schema.ts';

export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

export const text = (description: string, more: Schema = {}): Schema => ({ type: 'string', description, ...more });
export const time = (description: string): Schema =>
  text(`${description} ISO 8601, UTC, milliseconds.`, { format: 'date-time' });
export const list = (description: string, items: Schema, more: Schema = {}): Schema => ({
  type: 'array',
  description,
  items,
  ...more,
});

/** An object whose members are exactly those of the wire type `T`, with an example that satisfies it. */
export function record<T extends object>(
  description: string,
  properties: { readonly [K in keyof Required<T>]: Schema },
  required: readonly (keyof T & string)[],
  example: T,
): Schema {
  return { type: 'object', description, required, properties, examples: [example] };
}

export function page<T extends object>(description: string, of: string, entry: T): Schema {
  return record<Page<T>>(
    description,
    {
      data: list('The entries of this page.', ref(of)),
      nextCursor: text('Present when there is more: pass it as `?cursor=`. Opaque.'),
    },
    ['data'],
    { data: [entry] },
  );
}
