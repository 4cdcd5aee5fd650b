/** Reads and writes pages under docs/, and generated parts of pages between `<!-- name -->` and `<!-- /name -->`. */

import { expect } from 'bun:test';
import { join } from 'node:path';

const docs = join(import.meta.dir, '../../docs');

export function page(name: string): Promise<string> {
  return Bun.file(join(docs, name)).text();
}

/** Fails when a page differs from the generated text. With UPDATE_DOCS=1 it first writes the page. */
export async function expectPage(file: string, fromCode: string): Promise<void> {
  const wanted = `${fromCode.trim()}\n`;
  if (process.env['UPDATE_DOCS'] === '1') await Bun.write(join(docs, file), wanted);
  expect(await page(file)).toBe(wanted);
}

/** A page below docs/reference: title, a note that the page is generated, and sections. */
export function referencePage(title: string, ...sections: readonly string[]): string {
  const note =
    '<!-- Generated from the code. Do not edit: `UPDATE_DOCS=1 npx bun test test/repository` writes this page. -->';
  return [`# ${title}`, note, ...sections].join('\n\n');
}

/** Replaces document paths with links relative to docs/reference. */
export function withLinks(text: string): string {
  return text.replaceAll(/\bdocs\/([a-z]+)\/([a-z-]+)\.md/g, (_, folder: string, name: string) =>
    folder === 'reference' ? `[${name}](${name}.md)` : `[${name}](../${folder}/${name}.md)`,
  );
}

/** Fails when a part of a page differs from the generated text. With UPDATE_DOCS=1 it first writes the part. */
export async function expectPart(file: string, name: string, fromCode: string): Promise<void> {
  const wanted = `\n${fromCode.trim()}\n\n`;
  if (process.env['UPDATE_DOCS'] === '1') {
    const { before, after } = partOf(await page(file), file, name);
    await Bun.write(join(docs, file), before + wanted + after);
  }
  expect(partOf(await page(file), file, name).part).toBe(wanted);
}

function partOf(text: string, file: string, name: string) {
  const [open, close] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`];
  const [start, end] = [text.indexOf(open) + open.length, text.indexOf(close)];
  if (start < open.length || end < start) throw new Error(`${file} has no part ${name}`);
  return { before: text.slice(0, start), part: text.slice(start, end), after: text.slice(end) };
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cellText).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Escapes column separators and HTML tags in a cell. */
function cellText(cell: string): string {
  const text = cell.replaceAll('|', '\\|');
  return text.includes('`') ? text : text.replaceAll('<', '\\<');
}

/** The cells of the first table below `heading`. */
export function tableAfter(text: string, heading: string): readonly (readonly string[])[] {
  const from = text.indexOf(`\n${heading}\n`);
  if (from < 0) throw new Error(`no heading ${heading}`);
  const lines = text.slice(from + 1).split('\n');
  const start = lines.findIndex((line) => line.startsWith('|'));
  const rest = lines.slice(start + 2);
  const end = rest.findIndex((line) => !line.startsWith('|'));
  return rest.slice(0, end < 0 ? undefined : end).map((line) =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim()),
  );
}
