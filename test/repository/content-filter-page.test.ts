/**
 * docs/reference/content-filter.md contains the filter's rules, phrases and figures. The example in
 * docs/content-filter.md is a valid configuration.
 */

import { expect, test } from 'bun:test';
import { ownRules } from '@flowgate/content-filter/content-filter-rules';
import { contentFilterProblems } from '@flowgate/content-filter/content-filter-settings';
import { phraseLists } from '@flowgate/content-filter/phrases/all-phrases';
import { parse } from 'yaml';
import { configSchema } from '../../apps/gateway/src/config/config.ts';
import {
  corpus,
  isRefused,
  outcomeOf,
  precisionOf,
  recallOf,
  type Score,
  scoreOf,
  type UnseenText,
  unseenPart,
} from '../../apps/gateway/test/corpora/content-filter-corpus.ts';
import { expectPage, page, referencePage, table } from './doc-pages.ts';

const rulesTable = () =>
  table(
    ['rule', 'refuses', 'flags'],
    ownRules.map(({ ruleId, refuses, flags }) => [`\`${ruleId}\``, refuses, flags ?? '']),
  );

const phrasesTable = () =>
  table(
    ['phrase', 'reason', 'refused', 'passes'],
    phraseLists.flatMap((list) =>
      [...list.secretRequests, ...list.agentInstructions, ...list.frauds].map(
        ({ phraseId, reason, refuses, passes }) => [`\`${phraseId}\``, reason, refuses[0] ?? '', passes[0] ?? ''],
      ),
    ),
  );

const percent = (share: number) => (Number.isNaN(share) ? '' : `${(100 * share).toFixed(0)} %`);

const scored = (name: string, score: Score) => [
  name,
  score.honest === 0 ? '' : `${score.passed} of ${score.honest}`,
  score.hostile === 0 ? '' : `${score.refused} of ${score.hostile}`,
  percent(precisionOf(score)),
  percent(recallOf(score)),
];

const scoreTable = (name: string, rows: readonly (readonly string[])[]) =>
  table([name, 'honest passed', 'hostile refused', 'precision', 'recall'], rows);

/** The texts used to write the rules, combined. */
async function knownTexts(): Promise<Score> {
  const outcomes = async (name: string) =>
    (await Promise.all([corpus(`${name}-dev`), corpus(`${name}-held-out`)])).flat().map(outcomeOf);
  const [honest, hostile] = await Promise.all([outcomes('innocent'), outcomes('hostile')]);
  const refused = (all: readonly string[]) => all.filter((each) => each === 'refuse').length;
  return {
    honest: honest.length,
    passed: honest.length - refused(honest),
    hostile: hostile.length,
    refused: refused(hostile),
  };
}

test('the reference contains the rules, the phrases and the figures of the corpora', async () => {
  const parts = await Promise.all(([1, 2, 3, 4] as const).map(unseenPart));
  const last = await unseenPart(5);
  const grouped = (name: string, by: (text: UnseenText) => string) =>
    scoreTable(
      name,
      [...new Set(last.map(by))].toSorted().map((group) =>
        scored(
          `\`${group}\``,
          scoreOf(
            last.filter((each) => by(each) === group),
            isRefused,
          ),
        ),
      ),
    );
  await expectPage(
    'reference/content-filter.md',
    referencePage(
      'Rules of the content filter',
      '[Content filter](../content-filter.md) is the guide.',
      '## Rules',
      'In this order; a refusal names the first rule that refuses.',
      rulesTable(),
      '## Phrases',
      'A phrase matches when its parts occur in order in one sentence and no exception applies, such as `never` before the verb.',
      phrasesTable(),
      '## Figures',
      'Each `unseen` part has 210 texts, half honest, by authors who had not seen the rules. The last part has never corrected a rule. Precision is the share of hostile texts among the refused ones, recall the share of hostile texts that are refused.',
      scoreTable('texts', [
        scored('known texts, 18 languages', await knownTexts()),
        ...parts.map((texts, at) =>
          scored(`\`unseen-${at + 1}\`, which corrected the rules`, scoreOf(texts, isRefused)),
        ),
        scored('`unseen-5`, never opened', scoreOf(last, isRefused)),
      ]),
      'The last part by class and by language:',
      grouped('class', (each) => each.class),
      grouped('language', ({ language }) => language),
    ),
  );
});

test('the example on the page is a valid configuration', async () => {
  const yaml = /```yaml\n(flow:[\s\S]*?)```/.exec(await page('content-filter.md'))?.[1] ?? '';
  const { contentFilter } = configSchema.shape.flow.parse(parse(yaml).flow);
  expect(contentFilter.rules).toHaveLength(1);
  expect(contentFilterProblems(contentFilter)).toEqual([]);
});
