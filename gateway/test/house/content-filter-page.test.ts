/** docs/content-filter.md is the table of the filter's rules, and its example is a valid setting. */

import { expect, test } from 'bun:test';
import { parse } from 'yaml';
import { configSchema } from '../../src/config.ts';
import { contentFilterProblems, ownRules } from '../../src/flow/content-filter/content-filter-rules.ts';
import { expectPart, page, table } from './document-part.ts';

test('the table of rules is the code (design, Rule 12)', async () => {
  const rows = ownRules.map(({ ruleId, refuses }) => [`\`${ruleId}\``, refuses]);
  await expectPart('content-filter.md', 'rules', table(['Rule', 'Refuses'], rows));
});

test('the example of the page is a valid setting (design, Rule 12)', async () => {
  const yaml = /```yaml\n([\s\S]*?)```/.exec(await page('content-filter.md'))?.[1] ?? '';
  const { contentFilter } = configSchema.shape.flow.parse(parse(yaml).flow);
  expect(contentFilter.rules).toHaveLength(1);
  expect(contentFilterProblems(contentFilter)).toEqual([]);
});
