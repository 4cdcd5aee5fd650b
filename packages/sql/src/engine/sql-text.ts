/** Builds statements from texts with values and fragments, so that a query that needs the engine's clock or lock is still written as one text. */

import type { SqlValue, Statement } from './database.ts';
import type { Fragment } from './dialect.ts';

/** A node of a tree of prefixes: the statement's text so far, and its continuation for each kind of the next part. */
type Place = { readonly text: string; ofValue: Place | undefined; ofFragments: Map<string, Place> | undefined };

/**
 * The cached texts, by template. Each text is built once, so that the engines receive the same string each time and
 * find their prepared statement without comparing characters.
 */
const starts = new WeakMap<TemplateStringsArray, Place>();

/**
 * Limits of the cache at one place of a template. Lists have one text for each length. Texts beyond these limits are
 * built each time.
 */
const maxFragments = 64;
const maxFragmentLength = 4_096;

/**
 * Values become `?`; fragments are inserted with their own values. Never pass text from outside as a part of the
 * template: use values for that.
 */
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
  if (place.ofFragments.size < maxFragments && fragment.length <= maxFragmentLength)
    place.ofFragments.set(fragment, after);
  return after;
}

function placeOf(text: string): Place {
  return { text, ofValue: undefined, ofFragments: undefined };
}

/** `?, ?, …`, or fragments separated by commas: for IN and VALUES. */
export function list(parts: readonly (SqlValue | Fragment)[]): Fragment {
  const fragments = parts.map((part) => sql`${part}`);
  return { text: fragments.map(({ text }) => text).join(', '), values: fragments.flatMap(({ values }) => values) };
}

/** Inserts a text of the program's own into `sql`, such as the dialect's locks. Never use it for text from outside. */
export function raw(text: string): Fragment {
  return { text, values: [] };
}
