/** HTML as a value that can only be made by escaping: text put into a template is text in the page. */

export class Html {
  constructor(readonly source: string) {}
}

type Part = string | number | Html | readonly Html[] | undefined;

/** A template whose holes are escaped, unless they are HTML already. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.reduce((source, string, at) => source + sourceOf(parts[at - 1]) + string));
}

/** Backticks become code, blank lines new paragraphs; nothing else of Markdown. */
export function prose(text: string): readonly Html[] {
  return text.split('\n\n').map((paragraph) => html`<p>${inline(paragraph)}</p>`);
}

/** A sentence with its `code` marked. */
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
