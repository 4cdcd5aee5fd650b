/** docs/content-filter.md has the table of the filter's rules, and its example is a valid setting. */

import { expect, test } from 'bun:test';
import { parse } from 'yaml';
import { configSchema } from '../../src/config/config.ts';
import { ownRules } from '../../src/flow/content-filter/content-filter-rules.ts';
import { contentFilterProblems } from '../../src/flow/content-filter/content-filter-settings.ts';
import { corpus, outcomeOf } from '../corpora/content-filter-corpus.ts';
import { expectPart, page, table } from './document-part.ts';

test('the table of rules is the code', async () => {
  const rows = ownRules.map(({ ruleId, refuses, flags }) => [`\`${ruleId}\``, refuses, flags ?? '']);
  await expectPart('content-filter.md', 'rules', table(['Rule', 'Refuses', 'Flags'], rows));
});

test('the figures of the page are those of the corpora', async () => {
  const rows = await Promise.all(
    ['innocent-dev', 'innocent-held-out', 'hostile-dev', 'hostile-held-out', 'uncertain'].map(async (name) => {
      const outcomes = (await corpus(name)).map(outcomeOf);
      const count = (outcome: string) => String(outcomes.filter((each) => each === outcome).length);
      return [`\`${name}\``, String(outcomes.length), count('pass'), count('flag'), count('refuse')];
    }),
  );
  await expectPart('content-filter.md', 'corpora', table(['Texts', 'All', 'Pass', 'Flagged', 'Refused'], rows));
});

test('the example of the page is a valid setting', async () => {
  const yaml = /```yaml\n([\s\S]*?)```/.exec(await page('content-filter.md'))?.[1] ?? '';
  const { contentFilter } = configSchema.shape.flow.parse(parse(yaml).flow);
  expect(contentFilter.rules).toHaveLength(1);
  expect(contentFilterProblems(contentFilter)).toEqual([]);
});
