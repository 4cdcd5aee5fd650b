/** The texts of content-filter/, each in an app response, as the filter meets them. */

import { toolNames } from '../../src/agents/tool-names.ts';
import { createContentFilter } from '../../src/flow/content-filter/content-filter.ts';

export type CorpusEntry = {
  readonly language: string;
  readonly category: string;
  readonly expect: 'pass' | 'refuse' | 'flag';
  readonly text?: string;
  readonly step?: Readonly<Record<string, unknown>>;
};

export async function corpus(name: string): Promise<readonly CorpusEntry[]> {
  const lines = await Bun.file(new URL(`./content-filter/${name}.jsonl`, import.meta.url)).text();
  return lines
    .trimEnd()
    .split('\n')
    .map((line): CorpusEntry => JSON.parse(line));
}

/** A text alone becomes a description, the member that contains prose. */
const answerWith = ({ text, step }: CorpusEntry) => ({ step: step ?? { title: 'Step', description: text } });

const filter = createContentFilter({ disable: [], rules: [], toolNames });

export function outcomeOf(entry: CorpusEntry): CorpusEntry['expect'] {
  const { denial, warnings } = filter(answerWith(entry));
  if (denial !== undefined) return 'refuse';
  return warnings.length > 0 ? 'flag' : 'pass';
}
