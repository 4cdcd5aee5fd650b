/** Suggests the key that an operator probably meant by an unknown one. */

import leven from 'leven';
import { z } from 'zod';

/** `path`: that of the object that contains `key`. A similar key of the same object, else the same key in another section; undefined when neither exists. */
export function suggestKey(schema: unknown, path: readonly PropertyKey[], key: string): string | undefined {
  const similar = nearest(key, Object.keys(shapeAt(schema, path)));
  return similar ?? pathsTo(schema, key)[0];
}

/** The longest key has 25 characters; longer texts are not compared, because their distance is costly and meaningless. */
const maxKeyLength = 40;

function nearest(key: string, known: readonly string[]): string | undefined {
  if (key.length > maxKeyLength) return undefined;
  // Two for swapped letters; a third of a long key.
  const maxDistance = key.length < 4 ? 1 : Math.max(2, Math.floor(key.length / 3));
  const plain = (text: string) => text.toLowerCase().replaceAll(/[-_]/g, '');
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of known) {
    const distance = leven(plain(key), plain(name));
    if (distance <= maxDistance && distance < (best?.distance ?? Infinity)) best = { name, distance };
  }
  return best?.name;
}

/** All paths below `schema` that end in `key`, the shortest first: `networks[].nodes[].url`. */
function pathsTo(schema: unknown, key: string): readonly string[] {
  const found: string[] = [];
  const visit = (at: unknown, path: string) => {
    for (const [name, inner] of Object.entries(shapeOf(at))) {
      const here = path === '' ? name : `${path}.${name}`;
      if (name === key) found.push(here);
      visit(inner, unwrap(inner) instanceof z.ZodArray ? `${here}[]` : here);
    }
  };
  visit(schema, '');
  return found.sort((one, other) => one.length - other.length);
}

type Shape = Readonly<Record<string, unknown>>;

function shapeAt(schema: unknown, path: readonly PropertyKey[]): Shape {
  // The position in a list does not matter.
  const names = path.filter((each) => typeof each === 'string');
  return shapeOf(names.reduce<unknown>((at, name) => shapeOf(at)[name], schema));
}

/** The members of an object, of the entries of a list, or of all alternatives; none of anything else. */
function shapeOf(schema: unknown): Shape {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodObject) return inner.shape;
  if (inner instanceof z.ZodArray) return shapeOf(inner.element);
  if (inner instanceof z.ZodUnion) return Object.assign({}, ...inner.options.map(shapeOf));
  return {};
}

function unwrap(schema: unknown): unknown {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault || schema instanceof z.ZodOptional)
    return unwrap(schema.unwrap());
  if (schema instanceof z.ZodPipe) return unwrap(schema.def.out);
  return schema;
}
