/** docs/content-filter.md has the filter's rules and phrases and its figures, and its example is a valid setting. */

import { expect, test } from 'bun:test';
import { ownRules } from '@flowgate/content-filter/content-filter-rules';
import { contentFilterProblems } from '@flowgate/content-filter/content-filter-settings';
import { phraseLists } from '@flowgate/content-filter/phrases/all-phrases';
import { parse } from 'yaml';
import { configSchema } from '../../src/config/config.ts';
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
} from '../corpora/content-filter-corpus.ts';
import { expectPart, page, table } from './document-part.ts';

const file = 'content-filter.md';

test('the table of rules is the code', async () => {
  const rows = ownRules.map(({ ruleId, refuses, flags }) => [`\`${ruleId}\``, refuses, flags ?? '']);
  await expectPart(file, 'rules', table(['Rule', 'Refuses', 'Flags'], rows));
});

test('the table of phrases is the code', async () => {
  const rows = phraseLists.flatMap((list) =>
    [...list.secretRequests, ...list.agentInstructions, ...list.frauds].map(({ phraseId, reason, refuses, passes }) => [
      `\`${phraseId}\``,
      reason,
      refuses[0] ?? '',
      passes[0] ?? '',
    ]),
  );
  await expectPart(file, 'phrases', table(['Phrase', 'Reason', 'Refused', 'Passes'], rows));
});

const percent = (share: number) => (Number.isNaN(share) ? '' : `${(100 * share).toFixed(0)} %`);

const scored = (name: string, score: Score) => [
  name,
  score.honest === 0 ? '' : `${score.passed} of ${score.honest}`,
  score.hostile === 0 ? '' : `${score.refused} of ${score.hostile}`,
  percent(precisionOf(score)),
  percent(recallOf(score)),
];

const head = ['Honest passed', 'Hostile refused', 'Precision', 'Recall'];

/** The texts that the rules were written with, as one part. */
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

test('the figures of the page are those of the corpora', async () => {
  const parts = await Promise.all(([1, 2, 3, 4] as const).map(unseenPart));
  const last = await unseenPart(5);
  const rows = [
    scored('Known texts, 18 languages', await knownTexts()),
    ...parts.map((texts, at) => scored(`\`unseen-${at + 1}\`, which corrected the rules`, scoreOf(texts, isRefused))),
    scored('`unseen-5`, never opened', scoreOf(last, isRefused)),
  ];
  await expectPart(file, 'corpora', table(['Texts', ...head], rows));
  const grouped = (by: (text: UnseenText) => string) =>
    [...new Set(last.map(by))].toSorted().map((name) =>
      scored(
        `\`${name}\``,
        scoreOf(
          last.filter((each) => by(each) === name),
          isRefused,
        ),
      ),
    );
  await expectPart(
    file,
    'classes',
    table(
      ['Class', ...head],
      grouped((each) => each.class),
    ),
  );
  await expectPart(
    file,
    'languages',
    table(
      ['Language', ...head],
      grouped(({ language }) => language),
    ),
  );
});

test('the example of the page is a valid setting', async () => {
  const yaml = /```yaml\n(flow:[\s\S]*?)```/.exec(await page(file))?.[1] ?? '';
  const { contentFilter } = configSchema.shape.flow.parse(parse(yaml).flow);
  expect(contentFilter.rules).toHaveLength(1);
  expect(contentFilterProblems(contentFilter)).toEqual([]);
});
