/**
 * Describes a body: a zod schema with a name. It validates requests, is a component of the OpenAPI document, and types
 * the responses of the server (docs/decisions/0056).
 */

import { z } from 'zod';

export type BodySchema<S extends z.ZodType = z.ZodType> = {
  /** The name in the document's components; the client's type has the same name. */
  readonly name: string;
  /** Created on first use: most schemas are needed for the document only, and creating all of them takes 60 ms. */
  readonly schema: () => S;
};

/** The body as callers may send it. */
export type InputOf<B extends BodySchema> = z.input<ReturnType<B['schema']>>;
/** The validated body of a request, or a body that the server sends. */
export type BodyOf<B extends BodySchema> = ReadOnly<z.output<ReturnType<B['schema']>>>;

type ReadOnly<T> = T extends readonly (infer Entry)[]
  ? readonly ReadOnly<Entry>[]
  : T extends object
    ? { readonly [K in keyof T]: ReadOnly<T[K]> }
    : T;

/** `examples` appear in the document; the first one also in its sample calls. */
export function bodySchema<S extends z.ZodType>(
  name: string,
  description: string,
  make: () => S,
  ...examples: readonly NoInfer<z.input<S>>[]
): BodySchema<S> {
  const given = examples.length === 0 ? {} : { examples };
  return named(name, () => make().meta({ id: name, description, ...given }));
}

/** A page of a list of `entry`, in the form of every list (contract/conventions#lists). */
export function pageSchema<S extends z.ZodType>(name: string, description: string, entry: BodySchema<S>) {
  return named(name, () => {
    const nextCursor = z.string().describe('Present when there is more: pass it as `?cursor=`. Opaque.');
    const examples = [{ data: z.globalRegistry.get(entry.schema())?.['examples'] ?? [] }];
    return z
      .object({
        data: z.array(entry.schema()).describe('The entries of this page.'),
        nextCursor: nextCursor.exactOptional(),
      })
      .meta({ id: name, description, examples });
  });
}

/** A body that is not JSON. */
export function textSchema(name: string, description: string, contentType: string): BodySchema<z.ZodString> {
  return named(name, () => z.string().meta({ id: name, description, contentMediaType: contentType }));
}

function named<S extends z.ZodType>(name: string, make: () => S): BodySchema<S> {
  let made: S | undefined;
  return {
    name,
    schema() {
      made ??= make();
      return made;
    },
  };
}
