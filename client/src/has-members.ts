/** Checks a received value before it gets a type: whether it is an object with these members of these kinds. */

type Kind = 'string' | 'number' | 'boolean' | 'texts' | 'object' | 'objects';
type JsonObject = Readonly<Record<string, unknown>>;

/** Members named in `required` must be present; those of `optional` may be absent, but must be of the right kind. */
export function hasMembers(
  value: unknown,
  required: Readonly<Record<string, Kind>>,
  optional: Readonly<Record<string, Kind>> = {},
): value is JsonObject {
  if (!isObject(value)) return false;
  return (
    Object.entries(required).every(([name, kind]) => isOfKind(value[name], kind)) &&
    Object.entries(optional).every(([name, kind]) => value[name] === undefined || isOfKind(value[name], kind))
  );
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isOfKind(value: unknown, kind: Kind): boolean {
  if (kind === 'texts') return Array.isArray(value) && value.every((each) => typeof each === 'string');
  if (kind === 'objects') return Array.isArray(value) && value.every(isObject);
  return kind === 'object' ? isObject(value) : typeof value === kind;
}
