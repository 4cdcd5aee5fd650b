/**
 * JSON objects from parsed values and from bytes, more strictly than `JSON.parse`: for texts that decide about an
 * identity.
 */

import { eachMember, skipBlank } from './valid-json.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** Fatal on malformed UTF-8. Retains a byte order mark, so that the parser refuses it. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The object, or `undefined` for anything else: malformed UTF-8 or JSON, another kind of value, or a name that occurs
 * twice at the top level (RFC 7515 and RFC 7519, section 4 of each, allow us to refuse text that two readers could read
 * differently).
 */
export function parseJsonObject(bytes: Uint8Array): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(utf8.decode(bytes));
    return isJsonObject(value) && Object.keys(value).length === countMembers(bytes) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** An own member of an object, or an element of a list: a claim named `constructor` is absent unless the text has it. Undefined for other values. */
export function member(value: unknown, name: PropertyKey): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

/** `bytes` must be a well-formed object. */
function countMembers(bytes: Uint8Array): number {
  let members = 0;
  eachMember(bytes, skipBlank(bytes, 0, bytes.length), bytes.length, () => {
    members++;
    return true;
  });
  return members;
}
