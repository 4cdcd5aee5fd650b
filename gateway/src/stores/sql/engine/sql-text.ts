/** Builds statements from text with values and fragments in it, so that a query that needs the engine's clock or lock is still written as one text. */

import type { SqlValue, Statement } from './database.ts';
import type { Fragment } from './dialect.ts';

/** Values become `?`, fragments are put in as they are with their own values. Text never comes from outside: that is what values are for. */
export function sql(texts: TemplateStringsArray, ...parts: readonly (SqlValue | Fragment)[]): Statement {
  let text = texts[0] ?? '';
  const values: SqlValue[] = [];
  for (const [at, part] of parts.entries()) {
    if (part !== null && typeof part === 'object') {
      text += part.text;
      values.push(...part.values);
    } else {
      text += '?';
      values.push(part);
    }
    text += texts[at + 1] ?? '';
  }
  return { text, values };
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
