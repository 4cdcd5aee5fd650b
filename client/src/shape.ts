/** Checks that a received value has the members of the gateway's OpenAPI document, with values of their types. */

type JsonObject = Readonly<Record<string, unknown>>;

declare const shaped: unique symbol;

/**
 * The shape of a string, number, boolean or any value; of a list with one entry shape; or of an object, whose optional members have names that end with `?`.
 */
type Node = 's' | 'n' | 'b' | '*' | readonly [Node] | Members;
type Members = { readonly [member: string]: Node };

/** The shape of a type's bodies. */
export type Shape<T> = Members & { readonly [shaped]?: T };

/** Accepts members that the shape does not name. Time is linear in the size of the value. */
export function hasShape<T>(value: unknown, shape: Shape<T>): value is T {
  return fits(value, shape);
}

/** The same for a part of a value, without a type of its own. */
export function hasMembers(value: unknown, members: Members): value is JsonObject {
  return fits(value, members);
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const types = { s: 'string', n: 'number', b: 'boolean' };

function fits(value: unknown, node: Node): boolean {
  if (node === '*') return value !== undefined;
  if (typeof node === 'string') return typeof value === types[node];
  if (isList(node)) return Array.isArray(value) && value.every((each) => fits(each, node[0]));
  return (
    isObject(value) &&
    Object.entries(node).every(([name, of]) => {
      const isOptional = name.endsWith('?');
      const member = value[isOptional ? name.slice(0, -1) : name];
      return (isOptional && member === undefined) || fits(member, of);
    })
  );
}

function isList(node: readonly [Node] | Members): node is readonly [Node] {
  return Array.isArray(node);
}
