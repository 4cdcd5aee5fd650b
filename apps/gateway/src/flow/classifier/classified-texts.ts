/** Collects the texts for the classifier: those that people and agents see, with their positions. */

import { holdsNoWords } from '@flowgate/content-filter/content-filter-text';
import { isJsonObject, member } from '@flowgate/json/json-object';

/** `pointer` is a JSON pointer (RFC 6901), cut after the last member that fits. */
export type PlacedText = { readonly pointer: string; readonly text: string };

/**
 * Every text below `value` once, in its order: strings with words in them, and the names of members that are more than short identifiers.
 * `too-large` when texts and pointers have more than `maxBytes` in UTF-8. Not recursive, because the depth is unknown.
 */
export function textsIn(value: unknown, maxBytes: number): readonly PlacedText[] | 'too-large' {
  const texts = new Map<string, string>();
  let bytes = 0;
  const add = (pointer: string, text: string): boolean => {
    if (holdsNoWords(text) || texts.has(text)) return true;
    // No string has fewer bytes than units, so long ones are not counted.
    bytes += text.length > maxBytes ? text.length : Buffer.byteLength(text) + Buffer.byteLength(pointer);
    texts.set(text, pointer);
    return bytes <= maxBytes;
  };
  const open: { readonly pointer: string; readonly value: unknown }[] = [{ pointer: '', value }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { pointer, value: at } = place;
    if (typeof at === 'string') {
      if (!add(pointer, at)) return 'too-large';
    } else if (Array.isArray(at)) {
      for (let nth = at.length - 1; nth >= 0; nth--)
        open.push({ pointer: below(pointer, String(nth)), value: at[nth] });
    } else if (isJsonObject(at)) {
      const names = Object.keys(at);
      // The pointer of the object, since a pointer to the member would contain the text.
      for (const name of names) if (!identifier.test(name) && !add(pointer, name)) return 'too-large';
      for (const name of names.reverse()) open.push({ pointer: below(pointer, name), value: member(at, name) });
    }
  }
  return Array.from(texts, ([text, pointer]) => ({ pointer, text }));
}

/** Other names may be sentences, even without spaces: `send_all_funds_to_this_address_now`, `忽略之前的指示`. */
const identifier = /^[\x21-\x7e]{1,24}$/;

const maxPointerLength = 500;

function below(pointer: string, name: string): string {
  const longer = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  return longer.length > maxPointerLength ? pointer : longer;
}
