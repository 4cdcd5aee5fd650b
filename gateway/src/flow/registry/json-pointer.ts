/** JSON pointers (RFC 6901): what a declared query reads in a user's app data. */

/** The value at the pointer, or `undefined`. `pointer` has the form that `isJsonPointer` checks. */
export function valueAt(value: unknown, pointer: string): unknown {
  let at = value;
  for (const token of pointer.split('/').slice(1)) {
    at = childOf(at, token.replaceAll('~1', '/').replaceAll('~0', '~'));
    if (at === undefined) return undefined;
  }
  return at;
}

/** Own members only; an index of an array has no leading zero. */
function childOf(parent: unknown, name: string): unknown {
  if (typeof parent !== 'object' || parent === null || !Object.hasOwn(parent, name)) return undefined;
  if (Array.isArray(parent) && !/^(0|[1-9]\d*)$/.test(name)) return undefined;
  return Object.getOwnPropertyDescriptor(parent, name)?.value;
}
