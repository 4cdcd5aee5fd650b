/** JSON objects from parsed values and from bytes, more strictly than `JSON.parse`: for texts that decide who somebody is. */

export type JsonObject = Readonly<Record<string, unknown>>;

/** Fatal on malformed UTF-8. A byte order mark is kept, so that the parser refuses it. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The object, or `undefined` for anything else: malformed UTF-8 or JSON, another kind of value, or a name that occurs twice at the top level (RFC 7515 and RFC 7519,
 * section 4 of each, allow us to refuse what two readers could read differently).
 */
export function parseJsonObject(bytes: Uint8Array): JsonObject | undefined {
  try {
    const text = utf8.decode(bytes);
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) && Object.keys(value).length === topLevelMembers(text) ? value : undefined;
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

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;

/** Counts the members of a text that is known to be a well-formed object: its colons outside strings, one level deep. */
function topLevelMembers(text: string): number {
  let members = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === 0x7b || code === 0x5b) depth += 1;
    else if (code === 0x7d || code === 0x5d) depth -= 1;
    else if (code === colon && depth === 1) members += 1;
  }
  return members;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (let code = text.charCodeAt(at); code !== quote; code = text.charCodeAt(at)) at += code === backslash ? 2 : 1;
  return at;
}
