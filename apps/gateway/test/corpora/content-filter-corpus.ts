/** The texts of packages/content-filter/corpora, each in an app response, as the filter receives them. */

import { domainToASCII } from 'node:url';
import { toolNames } from '../../src/mcp/tool-names.ts';
import { type ContentFilterVerdict, createContentFilter } from '@flowgate/content-filter/content-filter';

export type CorpusEntry = {
  readonly language: string;
  readonly category: string;
  readonly expect: 'pass' | 'refuse';
  readonly text?: string;
  readonly step?: Readonly<Record<string, unknown>>;
};

export type UnseenText = {
  readonly id: string;
  readonly text: string;
  readonly language: string;
  readonly class: string;
  readonly honest: boolean;
  readonly declaredDomains: readonly string[];
};

const fileOf = (name: string) => Bun.file(new URL(`../../../../packages/content-filter/corpora/${name}`, import.meta.url));

export async function corpus(name: string): Promise<readonly CorpusEntry[]> {
  const lines = await fileOf(`${name}.jsonl`).text();
  return lines
    .trimEnd()
    .split('\n')
    .map((line): CorpusEntry => JSON.parse(line));
}

export const unseenPart = (part: 1 | 2 | 3 | 4 | 5): Promise<readonly UnseenText[]> => fileOf(`unseen-${part}.json`).json();

/**
 * Texts of authors of the rules: `design` was read while rules were written, `sealed` was chosen at random from the
 * same list, `later` was written together with the rules of structure.
 */
export const ownPart = (part: 'design' | 'sealed' | 'later'): Promise<readonly UnseenText[]> => fileOf(`own-${part}.json`).json();

const filter = createContentFilter({ disable: [], rules: [], toolNames });

export function outcomeOf(entry: CorpusEntry): 'pass' | 'flag' | 'refuse' {
  // A text without a response becomes a description, the member that contains prose.
  const { denial, warnings } = filter({ step: entry.step ?? { title: 'Step', description: entry.text } });
  if (denial !== undefined) return 'refuse';
  return warnings.length > 0 ? 'flag' : 'pass';
}

export function verdictOn({ text, declaredDomains }: UnseenText): ContentFilterVerdict {
  return filter({ step: { title: 'Step', description: text } }, declaredDomains.map(domainToASCII));
}

export const isRefused = (text: UnseenText): boolean => verdictOn(text).denial !== undefined;

/** The result of a filter on some texts. */
export type Score = { readonly honest: number; readonly passed: number; readonly hostile: number; readonly refused: number };

export function scoreOf(texts: readonly UnseenText[], refuses: (text: UnseenText) => boolean): Score {
  const honest = texts.filter((each) => each.honest);
  const hostile = texts.filter((each) => !each.honest);
  return {
    honest: honest.length,
    passed: honest.filter((each) => !refuses(each)).length,
    hostile: hostile.length,
    refused: hostile.filter(refuses).length,
  };
}

/** Of the refused texts, the share that is hostile. */
export const precisionOf = ({ honest, passed, refused }: Score): number => refused / (refused + honest - passed);

/** Of the hostile texts, the share that is refused. */
export const recallOf = ({ hostile, refused }: Score): number => refused / hostile;
