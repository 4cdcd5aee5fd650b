/** Names the places of bytes in JSON text as paths: `launchContext.amounts[2]`. */

import { colon, comma, quote } from './json-scan.ts';
import { endOfText } from './valid-json.ts';

/** The object's member, or the array's element, that is being read. */
type Level = { readonly isArray: boolean; name: string; nth: number };

/** `bytes` are valid JSON; `offsets` ascend and are outside of strings. A path ends before the first name that `shows` refuses. */
export function placesIn(
  bytes: Uint8Array,
  offsets: readonly number[],
  shows: (name: string) => boolean,
): readonly string[] {
  const places: string[] = [];
  const levels: Level[] = [];
  let text = '';
  for (let at = 0; at < bytes.length && places.length < offsets.length; at++) {
    if (at === offsets[places.length]) places.push(placeOf(levels, shows));
    const code = bytes[at] ?? 0;
    const level = levels.at(-1);
    if (code === quote) {
      const end = endOfText(bytes, at, bytes.length);
      if (level?.isArray === false) text = Buffer.from(bytes.buffer, bytes.byteOffset + at, end - at).toString();
      at = end - 1;
    } else if (code === colon && level !== undefined) level.name = String(JSON.parse(text));
    else if (code === comma && level !== undefined) level.nth++;
    else if ((code | 32) === 123) levels.push({ isArray: code === 91, name: '', nth: 0 });
    else if ((code | 32) === 125) levels.pop();
  }
  return places;
}

function placeOf(levels: readonly Level[], shows: (name: string) => boolean): string {
  let place = '';
  for (const { isArray, name, nth } of levels) {
    if (!isArray && !shows(name)) break;
    place += isArray ? `[${nth}]` : `${place === '' ? '' : '.'}${name}`;
  }
  return place;
}
