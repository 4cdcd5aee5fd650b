/** JSON pointers (RFC 6901), by which declared queries read a user's app data. */

import { member } from '@flowgate/json/json-object';
/** The value at the pointer, or `undefined`. `manifest-input` has checked the pointer's form. */
export function valueAt(value: unknown, pointer: string): unknown {
  let at = value;
  for (const name of namesOf(pointer)) {
    at = childOf(at, name);
    if (at === undefined) return undefined;
  }
  return at;
}

/** The first member name; undefined for the pointer to the whole document. */
export function firstName(pointer: string): string | undefined {
  return namesOf(pointer)[0];
}

function namesOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Own members only; array indices have no leading zeros. */
function childOf(parent: unknown, name: string): unknown {
  return Array.isArray(parent) && !/^(0|[1-9]\d*)$/.test(name) ? undefined : member(parent, name);
}
