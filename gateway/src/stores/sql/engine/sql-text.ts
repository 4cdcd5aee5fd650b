/** Builds statements from texts with values and fragments, so that a query that needs the engine's clock or lock is still written as one text. */

import type { SqlValue, Statement } from './database.ts';
import type { Fragment } from './dialect.ts';

/** What follows a part of a template: the text so far, and how it goes on for each kind of the next part. */
type Place = { readonly text: string; ofValue: Place | undefined; ofFragments: Map<string, Place> | undefined };

/** A text is put together once: then the engines find what they know of it by the same string, without reading it again. */
const starts = new WeakMap<TemplateStringsArray, Place>();

/** At one place of a template. Lists have as many texts as lengths; what is beyond, and a longer one, is put together each time. */
const mostFragments = 64;
const longestFragment = 4_096;

/** Values become `?`; fragments are inserted with their own values. Text never comes from outside: use values for that. */
export function sql(texts: TemplateStringsArray, ...parts: readonly (SqlValue | Fragment)[]): Statement {
  let place = startOf(texts);
  const values: SqlValue[] = [];
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at];
    const next = texts[at + 1] ?? '';
    if (part !== null && typeof part === 'object') {
      place = afterFragment(place, part.text, next);
      for (const value of part.values) values.push(value);
    } else {
      place = place.ofValue ??= placeOf(`${place.text}?${next}`);
      values.push(part ?? null);
    }
  }
  return { text: place.text, values };
}

function startOf(texts: TemplateStringsArray): Place {
  const known = starts.get(texts);
  if (known !== undefined) return known;
  const start = placeOf(texts[0] ?? '');
  starts.set(texts, start);
  return start;
}

function afterFragment(place: Place, fragment: string, next: string): Place {
  place.ofFragments ??= new Map();
  const known = place.ofFragments.get(fragment);
  if (known !== undefined) return known;
  const after = placeOf(place.text + fragment + next);
  if (place.ofFragments.size < mostFragments && fragment.length <= longestFragment)
    place.ofFragments.set(fragment, after);
  return after;
}

function placeOf(text: string): Place {
  return { text, ofValue: undefined, ofFragments: undefined };
}

/** `?, ?, …`, or fragments side by side: for IN and VALUES. */
export function list(parts: readonly (SqlValue | Fragment)[]): Fragment {
  const fragments = parts.map((part) => sql`${part}`);
  return { text: fragments.map(({ text }) => text).join(', '), values: fragments.flatMap(({ values }) => values) };
}

/** Text of the program's own, for `sql`: the dialect's locks. */
export function raw(text: string): Fragment {
  return { text, values: [] };
}
