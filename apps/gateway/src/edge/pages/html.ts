/** HTML as a type that only escaping can create, so that a text in a template stays text on the page. */

export class Html {
  constructor(readonly source: string) {}
}

type Part = string | number | Html | readonly Html[] | undefined;

/** A template that escapes its values unless they are HTML. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.reduce((source, string, at) => source + sourceOf(parts[at - 1]) + string));
}

/** Turns backticks into code and blank lines into paragraphs; supports no other Markdown. */
export function prose(text: string): readonly Html[] {
  return text.split('\n\n').map((paragraph) => html`<p>${inline(paragraph)}</p>`);
}

/** A sentence with `code` marked up. */
export function inline(text: string): readonly Html[] {
  return text.split('`').map((piece, at) => (at % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`));
}

function sourceOf(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Html) return part.source;
  if (typeof part === 'object') return part.map((each) => each.source).join('');
  return escaped(String(part));
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
